export interface VantageHealth {
  /** Begins a request, unless the vantage rests or has too many under way. */
  begin(): VantageTurn | 'paused' | 'busy';
}

/** `unknown`: it was not waited for. */
export type TurnEnd = 'answered' | 'failed' | 'unknown';

export interface VantageTurn {
  end(turn: TurnEnd): void;
}

/** How much of a vantage one kind of work may take. */
export interface VantageShare {
  readonly inFlight: number;
  /** A vantage admits 600 requests of a client in a minute. */
  readonly perMinute: number;
}

const CHECK_SHARE: VantageShare = { inFlight: 64, perMinute: 600 };
/** The crawl can wait a week; a check cannot. What it may not ask now is judged without others. */
export const CRAWL_SHARE: VantageShare = { inFlight: 16, perMinute: 240 };

const MINUTE_MS = 60_000;
const FAILURES_IN_A_ROW = 5;
const PAUSE_MS = { first: 1_000, most: 60_000 } as const;

/**
 * After failures in a row a vantage is left alone, each time for twice as long. When a pause is over, one request tries: a check
 * does not wait for a vantage that is known to be away.
 */
export function createVantageHealth(
  stopwatch: () => number,
  onChange: (isAnswering: boolean) => void,
  share: VantageShare = CHECK_SHARE,
): VantageHealth {
  const state = { underWay: 0, failures: 0, pauseMs: 0, until: 0, isTrying: false, minute: 0, begun: 0 };
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
      const minute = Math.floor(stopwatch() / MINUTE_MS);
      if (minute !== state.minute) Object.assign(state, { minute, begun: 0 });
      if (state.underWay >= share.inFlight || state.begun >= share.perMinute) return 'busy';
      state.underWay += 1;
      state.begun += 1;
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
