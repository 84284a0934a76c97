import type { Asking } from '../ask/asking.ts';
import type { Findings } from '../ask/findings.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';

/** How the results of a check are printed, and what they exit with. */
export interface CheckPrinting {
  readonly asking: Asking;
  readonly quiet: boolean;
  /** A progress bar is drawn. */
  readonly watched: boolean;
  /** A `pay` with nothing compared is not enough. */
  readonly strict: boolean;
}

export function exitOf({ verdict, compared }: Findings, { strict }: CheckPrinting): ExitCode {
  return strict && verdict === 'pay' && compared !== true ? EXIT.recheck : EXIT[verdict];
}
