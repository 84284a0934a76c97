import { WANTS_INPUT } from '../input/telling-answer.ts';
import type { ProbeOutcome } from '../verdict/probe-outcome.ts';
import { type Challenge, readChallenge } from '../x402/challenge.ts';
import { isSameDemand } from '../x402/offer.ts';
import { found } from './checks.ts';
import type { Finding } from './finding.ts';
import type { Seen } from './seen.ts';
import { TERMS_CHECKS } from './terms-checks.ts';

const SEND_INPUT = ' To lint the 402 behind it, send input: in the query, or with --method POST and --input.';

/** What the first request, which has no input, tells about the order of payment and input. */
export function inputFindings({ bare, withInput }: Pick<Seen, 'bare' | 'withInput'>): Finding[] {
  const status = bare.kind === 'answered' ? bare.status : null;
  if (status === 405) return [found('wrong_method', 'answer')];
  if (status !== null && WANTS_INPUT.has(status)) {
    const problem = `A request without input is answered with ${status}, not 402: the endpoint seems to check its input first.`;
    const fix = `${TERMS_CHECKS.needs_input.fix}${withInput === null ? SEND_INPUT : ''}`;
    return [found('needs_input', 'answer', { problem, fix })];
  }
  return status === 402 && withInput !== null && isOther(challengeOf(bare), challengeOf(withInput))
    ? [found('terms_vary', 'answer')]
    : [];
}

function challengeOf(outcome: ProbeOutcome): Challenge {
  return outcome.kind === 'answered' && outcome.status === 402 ? readChallenge(outcome) : { kind: 'none' };
}

function isOther(left: Challenge, right: Challenge): boolean {
  if (left.kind !== 'readable' || right.kind !== 'readable') return left.kind !== right.kind;
  return left.offers.some((offer) => !right.offers.some((other) => isSameDemand(offer, other)));
}
