import { toldWith } from '../diagnose/diagnose-outcome.ts';
import type { Diagnostic } from '../diagnose/diagnostic.ts';
import type { ListedInput, UsedInput } from '../input/listed-input.ts';
import { type NeedsInput, needsInputOf } from '../input/needs-input.ts';
import { PROBE_REUSE_SECONDS } from '../limits.ts';
import { seenIn } from '../statement/seen.ts';
import { redactUrl } from '../url/redact-url.ts';
import type { TargetUrl } from '../url/target-url.ts';
import type { Views } from '../vantage/view.ts';
import type { Expected, Listing } from '../verdict/expected-terms.ts';
import type { FreeTrial } from '../verdict/free-trial.ts';
import { diagnosticsOf, type Evidence, type Observation, type Seen } from '../verdict/observation.ts';
import type { ProbeMethod } from '../verdict/probe-outcome.ts';
import { hintIn, type Reason, RULES_VERSION, type Verdict } from '../verdict/verdict.ts';
import { verdictWords } from '../verdict/verdict-words.ts';
import type { Offer } from '../x402/offer.ts';
import type { Terms } from '../x402/terms.ts';
import { termsSha256 } from './terms-hash.ts';

export type CheckType = 'dry-run' | 'self-checked';

/** A stored decision of the spot-check (gap G50). Public for ever: never a client name, an address or a payer. */
export interface LiveReceipt {
  readonly id: string;
  readonly url: string;
  readonly method: ProbeMethod;
  readonly checkedAt: Date;
  readonly checkType: CheckType;
  readonly mode: 'live' | 'dry-run';
  readonly ref: string | null;
  readonly task: string | null;
  readonly listing: Listing | null;
  readonly liveDemand: LiveDemand;
  readonly live402: Live402 | null;
  readonly expected: Expected;
  readonly verdict: Verdict['verdict'];
  readonly reason: Reason;
  readonly reasonText: string;
  readonly input: UsedInput | null;
  readonly needsInput: NeedsInput | null;
  /** The method that the endpoint seems to want instead. */
  readonly otherMethod: ProbeMethod | null;
  readonly approvedPayment: Terms | null;
  readonly paymentTermsSha256: string | null;
  readonly probe: ProbeStamp;
  readonly evidence: Evidence;
  /** What the seller has to change; empty unless the answer itself is refused. */
  readonly diagnostics: readonly Diagnostic[];
  readonly rulesVersion: string;
  /** All that the judge looked at; null in receipts of older releases, like the salt. */
  readonly seen: Seen | null;
  /** Null for a receipt that is not stored, too: only a stored one has a statement. */
  readonly salt: string | null;
  /** The method that a listing names. */
  readonly listedMethod: ProbeMethod | null;
  /** What others saw; null where nobody was asked. */
  readonly views: Views | null;
}

/** What a listing of receipts shows of each (gap G51). */
export type ListedReceipt = Pick<
  LiveReceipt,
  'id' | 'url' | 'checkedAt' | 'checkType' | 'ref' | 'listing' | 'liveDemand' | 'verdict' | 'reason'
>;

/** Whether the check asked what everybody asks: anybody could move what is shown about a seller with a claim or an input of their own. */
export function isNeutral({ expected, input }: Pick<LiveReceipt, 'expected' | 'input'>): boolean {
  return expected.source !== 'request' && input?.source !== 'caller';
}

export interface LiveDemand {
  readonly httpStatus: number | null;
  readonly x402Challenge: boolean;
  /** Our own code for a transport failure. */
  readonly error: 'headers_too_large' | 'timed_out' | 'unreachable' | 'blocked' | null;
  readonly freeTrial: FreeTrial | null;
}

export interface Live402 {
  readonly x402Version: 1 | 2 | null;
  readonly source: 'header' | 'body';
  readonly accepts: readonly Offer[];
}

export interface ProbeStamp {
  readonly probedAt: Date;
  readonly cached: boolean;
  readonly cacheTtlSeconds: number;
}

export interface CheckedEndpoint {
  readonly id: string;
  readonly target: TargetUrl;
  readonly method: ProbeMethod;
  readonly checkedAt: Date;
  readonly selfTest: boolean;
  readonly mode: 'live' | 'dry-run';
  readonly ref: string | null;
  readonly task: string | null;
  readonly listing: Listing | null;
  readonly expected: Expected;
  readonly observation: Observation;
  readonly probe: Omit<ProbeStamp, 'cacheTtlSeconds'>;
  readonly verdict: Verdict;
  /** What the listing says about input; absent where it says nothing. */
  readonly listedInput?: ListedInput;
  /** The method that a listing names; absent where none does. */
  readonly listedMethod?: ProbeMethod;
  /** What others saw; absent where nobody was asked. */
  readonly views?: Views;
  /** Of the statement; absent for a receipt that is not stored. */
  readonly salt?: string;
}

/** A dry run is never an approval: its terms are omitted even when they would pass (gap G09). */
export function liveReceipt(checked: CheckedEndpoint): LiveReceipt {
  const { verdict, observation, selfTest, mode } = checked;
  const approved = verdict.verdict === 'pay' && mode === 'live' ? verdict.terms : null;
  return {
    id: checked.id,
    url: redactUrl(checked.target.href, checked.listing === null ? 'unlisted' : 'listed'),
    method: checked.method,
    checkedAt: checked.checkedAt,
    checkType: selfTest ? 'self-checked' : 'dry-run',
    mode,
    ref: checked.ref,
    task: checked.task,
    listing: checked.listing,
    ...seenParts(observation),
    expected: checked.expected,
    verdict: verdict.verdict,
    reason: verdict.reason,
    reasonText: verdictWords(verdict),
    ...inputPart(checked),
    approvedPayment: approved,
    paymentTermsSha256: approved === null ? null : termsSha256(approved),
    probe: { ...checked.probe, cacheTtlSeconds: PROBE_REUSE_SECONDS },
    diagnostics: toldWith(verdict, diagnosticsOf(observation)),
    rulesVersion: RULES_VERSION,
    seen: seenIn(observation),
    salt: checked.salt ?? null,
    listedMethod: checked.listedMethod ?? null,
    views: checked.views ?? null,
  };
}

/** The members of a receipt that repeat what was seen. */
export function seenParts(seen: Seen): Pick<LiveReceipt, 'liveDemand' | 'live402' | 'evidence' | 'input'> {
  return {
    liveDemand: demandOf(seen),
    live402: live402Of(seen),
    evidence: seen.kind === 'answered' ? seen.evidence : NO_EVIDENCE,
    input: seen.kind === 'answered' ? seen.input : null,
  };
}

function inputPart({ observation, verdict, method, listedInput }: CheckedEndpoint) {
  const isAnswered = observation.kind === 'answered';
  const hint = hintIn(verdict);
  return {
    needsInput:
      isAnswered && hint?.kind === 'needs_input'
        ? needsInputOf(observation, method, listedInput ?? null)
        : null,
    otherMethod: hint?.kind === 'wrong_method' ? hint.other : null,
  };
}

const NO_EVIDENCE: Evidence = { paymentRequiredSha256: null, bodySha256: null };

function demandOf(seen: Seen): LiveDemand {
  if (seen.kind !== 'answered') {
    return { httpStatus: null, x402Challenge: false, error: seen.kind, freeTrial: null };
  }
  const { status, challenge, freeTrial } = seen;
  return { httpStatus: status, x402Challenge: challenge.kind !== 'none', error: null, freeTrial };
}

function live402Of(seen: Seen): Live402 | null {
  if (seen.kind !== 'answered' || seen.challenge.kind !== 'readable') return null;
  const { x402Version, source, offers } = seen.challenge;
  return { x402Version, source, accepts: offers };
}
