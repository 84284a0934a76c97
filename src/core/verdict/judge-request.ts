import { WANTS_INPUT } from '../input/telling-answer.ts';
import type { Expected } from './expected-terms.ts';
import { judge } from './judge.ts';
import type { Judgement } from './judge-offers.ts';
import type { Seen, SeenAnswer } from './observation.ts';
import type { ProbeMethod } from './probe-outcome.ts';
import type { Hint } from './verdict.ts';

/** The request that was answered, and what a listing says about it. */
export interface AskedRequest {
  readonly method: ProbeMethod;
  /** Null where no listing names one. */
  readonly listedMethod: ProbeMethod | null;
  /** The listing describes values for the path, so that a 404 may mean a value that does not exist. */
  readonly takesPath: boolean;
}

/** The judge, for an answer to a request that we know: an answer without payment terms may say what the request lacked. */
export function judgeRequest(
  observation: Seen,
  asked: AskedRequest,
  expected: Expected,
  probedAt: Date,
): Judgement {
  const judgement = judge(observation, expected, probedAt);
  const { verdict } = judgement;
  if (verdict.reason !== 'no_paywall' || observation.kind !== 'answered') return judgement;
  return { ...judgement, verdict: { ...verdict, hint: hintOf(observation, asked) } };
}

const WANTS_LOGIN: ReadonlySet<number> = new Set([401, 403, 407]);

function hintOf(
  { status, refusal }: SeenAnswer,
  { method, listedMethod, takesPath }: AskedRequest,
): Hint | null {
  const other = method === 'GET' ? 'POST' : 'GET';
  const isListedOther = listedMethod === other && (status === 400 || status === 404);
  if (isListedOther) return { kind: 'wrong_method', other };
  if (status === 405)
    return refusal?.allow?.includes(other) === false ? null : { kind: 'wrong_method', other };
  if (WANTS_INPUT.has(status) || (status === 404 && takesPath)) return { kind: 'needs_input' };
  return WANTS_LOGIN.has(status) ? { kind: 'needs_login' } : null;
}
