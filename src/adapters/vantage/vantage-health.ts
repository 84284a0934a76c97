export interface VantageHealth {
  /** Begins a request, unless the vantage rests or has too many under way. */
  begin(): VantageTurn | 'paused' | 'busy';
}

/** `unknown`: it was not waited for. */
export type TurnEnd = 'answered' | 'failed' | 'unknown';

export interface VantageTurn {
  end(turn: TurnEnd): void;
}

const IN_FLIGHT_MAX = 64;
const FAILURES_IN_A_ROW = 5;
const PAUSE_MS = { first: 1_000, most: 60_000 } as const;

/**
 * After failures in a row a vantage is left alone, each time for twice as long. When a pause is over, one request tries: a check
 * does not wait for a vantage that is known to be away.
 */
export function createVantageHealth(
  stopwatch: () => number,
  onChange: (isAnswering: boolean) => void,
): VantageHealth {
  const state = { underWay: 0, failures: 0, pauseMs: 0, until: 0, isTrying: false };
  const isAway = () => state.failures >= FAILURES_IN_A_ROW;
  const rest = () => {
    state.pauseMs = Math.min(PAUSE_MS.most, state.pauseMs === 0 ? PAUSE_MS.first : 2 * state.pauseMs);
    state.until = stopwatch() + state.pauseMs;
  };
  const failed = (isTrial: boolean) => {
    const wasAway = isAway();
    state.failures += 1;
    if (!isAway()) return;
    // Requests that began before the pause say nothing new.
    if (!wasAway || isTrial) rest();
    if (!wasAway) onChange(false);
  };
  const answered = () => {
    const wasAway = isAway();
    Object.assign(state, { failures: 0, pauseMs: 0 });
    if (wasAway) onChange(true);
  };
  return {
    begin() {
      const isTrial = isAway();
      if (isTrial && (state.isTrying || stopwatch() < state.until)) return 'paused';
      if (state.underWay >= IN_FLIGHT_MAX) return 'busy';
      state.underWay += 1;
      if (isTrial) state.isTrying = true;
      return {
        end(turn) {
          state.underWay -= 1;
          if (isTrial) state.isTrying = false;
          if (turn === 'answered') answered();
          if (turn === 'failed') failed(isTrial);
        },
      };
    },
  };
}
