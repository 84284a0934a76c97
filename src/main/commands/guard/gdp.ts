import { answerGdp } from '../../../guard/gdp/gdp-session.ts';
import { NEW_SESSION } from '../../../guard/gdp/gdp-state.ts';
import { readLines } from '../../../guard/gdp/read-lines.ts';
import { packageVersion } from '../../build/runtime.ts';
import type { Output } from '../output.ts';

/** assay guard gdp: answers the guardrail decision protocol on standard output until standard input ends. */
export async function runGuardGdp(
  output: Pick<Output, 'json'>,
  input: AsyncIterable<Uint8Array | string> = process.stdin,
): Promise<number> {
  const version = packageVersion();
  let state = NEW_SESSION;
  for await (const message of readLines(input)) {
    const step = answerGdp(state, message, { now: new Date(), version });
    state = step.state;
    if (step.answer !== null) output.json(step.answer);
  }
  return 0;
}
