import { unreachable } from '../unreachable.ts';
import { MAINNETS, type Mainnet } from '../x402/networks.ts';
import type { Expected } from './expected-terms.ts';
import type { FreeTrial } from './free-trial.ts';
import { type Judgement, judgeOffers } from './judge-offers.ts';
import type { ReadAnswer, Reading } from './reading.ts';
import { type AnswerVerdict, badChallenge } from './verdict.ts';

/**
 * The one judge of the service: spot-check and crawl, every tier, as of the moment of the probe (gap G39). The service approves
 * payments on mainnets only; whoever judges for a buyer on another network names that one.
 */
export function judge(
  reading: Reading,
  expected: Expected,
  probedAt: Date,
  networks: readonly Mainnet[] = MAINNETS,
): Judgement {
  switch (reading.kind) {
    case 'blocked':
      return noOffer({ verdict: 'skip', reason: 'ssrf_blocked' });
    case 'timed_out':
      return noOffer({ verdict: 'recheck', reason: 'timeout' });
    case 'unreachable':
      return noOffer({ verdict: 'recheck', reason: 'unreachable', cause: reading.cause });
    case 'headers_too_large':
      return noOffer(badChallenge({ kind: 'headers_too_large' }));
    case 'answered':
      return judgeAnswer(reading, { expected, probedAt, networks });
    default:
      return unreachable(reading);
  }
}

interface Standard {
  readonly expected: Expected;
  readonly probedAt: Date;
  readonly networks: readonly Mainnet[];
}

function judgeAnswer(answer: ReadAnswer, standard: Standard): Judgement {
  const { status, freeTrial } = answer;
  if (status >= 500 && status <= 599) return noOffer({ verdict: 'recheck', reason: 'server_error', status });
  const judgement = judgeChallenge(answer, standard);
  return freeTrial === null ? judgement : duringTrial(judgement, freeTrial);
}

function judgeChallenge(
  { status, challenge }: ReadAnswer,
  { expected, probedAt, networks }: Standard,
): Judgement {
  switch (challenge.kind) {
    case 'none':
      return noOffer({ verdict: 'skip', reason: 'no_paywall', status, hint: null });
    case 'unreadable':
      return noOffer(badChallenge({ kind: 'unreadable' }));
    case 'readable':
      return judgeOffers(challenge, expected, probedAt, networks);
    default:
      return unreachable(challenge);
  }
}

/** A trial may postpone a payment, but it must not hide wrong terms (gap G41). */
function duringTrial(judgement: Judgement, { remaining }: FreeTrial): Judgement {
  const { reason } = judgement.verdict;
  const postponed = reason === 'no_paywall' || (reason === 'price_ok' && remaining !== 0);
  if (!postponed) return judgement;
  return { ...judgement, verdict: { verdict: 'recheck', reason: 'free_trial_active', remaining } };
}

function noOffer(verdict: AnswerVerdict): Judgement {
  return { verdict, offer: null };
}
