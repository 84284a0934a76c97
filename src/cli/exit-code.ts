/** For scripts: anything but 0 means do not pay. */
export const EXIT = {
  pay: 0,
  done: 0,
  skip: 1,
  failed: 1,
  usage: 2,
  recheck: 3,
  payment: 4,
  unreachable: 5,
  /** A proof failed: something is forged, rewritten or withheld. Nothing else has this code. */
  disproved: 6,
  stopped: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Strongest first: not asked, not answered, then verdicts. */
const ORDER: readonly ExitCode[] = [
  EXIT.stopped,
  EXIT.disproved,
  EXIT.usage,
  EXIT.unreachable,
  EXIT.payment,
  EXIT.skip,
  EXIT.recheck,
  EXIT.pay,
];

/** One code for many: `pay` only if all are. No input at all counts as invalid. */
export function strongestExit(codes: readonly ExitCode[]): ExitCode {
  return ORDER.find((code) => codes.includes(code)) ?? EXIT.usage;
}

/** How a command ended: its exit code, or one line about its invalid arguments. */
export type Outcome = number | { readonly invalid: string };
