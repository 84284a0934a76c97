/** What scripts read. Anything but 0 means that nothing may be paid. */
export const EXIT = {
  pay: 0,
  done: 0,
  skip: 1,
  usage: 2,
  recheck: 3,
  payment: 4,
  unreachable: 5,
  stopped: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Strongest first: what was not asked, then what was not answered, then verdicts. */
const ORDER: readonly ExitCode[] = [
  EXIT.stopped,
  EXIT.usage,
  EXIT.unreachable,
  EXIT.payment,
  EXIT.skip,
  EXIT.recheck,
  EXIT.pay,
];

/** One code for many: nothing is `pay` unless everything is. Nothing at all was asked wrongly. */
export function strongestExit(codes: readonly ExitCode[]): ExitCode {
  return ORDER.find((code) => codes.includes(code)) ?? EXIT.usage;
}

/** How a command ended; `wrong` says in a line how it was asked wrongly. */
export type Outcome = ExitCode | { readonly wrong: string };
