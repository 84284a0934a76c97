/** Callers that ask once more than they may, all at about the same time and of any replica: exactly one is refused. */
export interface Allowance {
  /** The number of the caller whose turn it is. */
  next(): number;
  /** Whether the answer to one of that caller's requests was a use or a refusal. */
  answered(caller: number, granted: boolean): void;
  /** No answer, or one that says neither: nothing can be said of this caller any more. */
  lost(caller: number): void;
  report(): AllowanceReport;
}

export interface AllowanceReport {
  readonly callers: number;
  /** Callers who got more than they may, or less. */
  readonly wrong: number;
  /** The first few of those, in words. */
  readonly examples: readonly string[];
}

const EXAMPLES_MAX = 5;

export function createAllowance(limit: number, newCaller: () => number): Allowance {
  const open = new Map<number, { granted: number; answered: number }>();
  const state = { caller: 0, asked: limit + 1, callers: 0, wrong: 0 };
  const examples: string[] = [];
  return {
    next() {
      if (state.asked > limit) {
        state.caller = newCaller();
        state.asked = 0;
        open.set(state.caller, { granted: 0, answered: 0 });
      }
      state.asked += 1;
      return state.caller;
    },
    answered(caller, granted) {
      const tally = open.get(caller);
      if (tally === undefined) return;
      tally.answered += 1;
      tally.granted += granted ? 1 : 0;
      if (tally.answered <= limit) return;
      open.delete(caller);
      state.callers += 1;
      if (tally.granted === limit) return;
      state.wrong += 1;
      if (examples.length < EXAMPLES_MAX)
        examples.push(`caller ${caller}: ${tally.granted} of ${limit} granted`);
    },
    lost: (caller) => void open.delete(caller),
    report: () => ({ callers: state.callers, wrong: state.wrong, examples: [...examples] }),
  };
}
