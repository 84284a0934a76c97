import { unreachable } from '../../core/unreachable.ts';
import type { Expected } from '../../core/verdict/expected-terms.ts';
import type { Call } from '../call/call.ts';
import type { Candidate } from '../challenge/approve-entries.ts';
import { GuardRefused } from '../guard-refused.ts';
import type { Guarding } from '../guarding.ts';
import type { Witness } from '../ledger/purchase.ts';
import { termsSha256Of } from '../ledger/purchase-terms.ts';
import { askService } from '../witness/ask-service.ts';
import { askSnapshot } from '../witness/ask-snapshot.ts';
import { disagreementWords, SILENCE_WORDS, undecidedWords } from '../witness/silence-words.ts';

/** A service's word on the same terms of the same request counts for a day. */
const TRUSTED_FOR_MS = 86_400_000;

export interface ToWitness {
  readonly call: Call;
  readonly candidates: readonly Candidate[];
  readonly expected: Expected;
  readonly termsChanged: boolean;
}

/** What a service or its snapshot saw; null when nobody was asked, or when silence is allowed. */
export async function witnessTerms(guarding: Guarding, asked: ToWitness): Promise<Witness | null> {
  const {
    ask = null,
    askWhen = 'new-terms',
    onUnavailable = 'deny',
    payAsk,
    askTimeoutMs,
    snapshot,
  } = guarding.options;
  const service = askWhen === 'never' ? null : ask;
  if (service === null && snapshot === undefined) return null;
  if (!guarding.hasWitness) return silence(onUnavailable);
  if (snapshot !== undefined) {
    const seen = await askSnapshot(snapshot, { ...asked, now: guarding.now() });
    if (seen !== null) return notAhead(seen, guarding.now());
  }
  if (service === null) return silence(onUnavailable);
  const hashes = asked.candidates.map(({ terms }) => termsSha256Of(terms));
  if (askWhen === 'new-terms' && !asked.termsChanged) {
    const known = await witnessedBefore(guarding, asked.call, hashes);
    if (known !== null) return known;
  }
  const { call, expected } = asked;
  const answer = await askService(
    {
      service,
      fetch: guarding.factsFetch,
      timeoutMs: askTimeoutMs,
      now: guarding.now,
      payAsk,
    },
    { url: call.url.href, method: call.method, termsSha256s: hashes, expected },
  );
  switch (answer.kind) {
    case 'agrees':
      return notAhead(answer.witness, guarding.now());
    case 'disagrees':
      // A service that came to no decision says nothing about the terms; one that could not have them confirmed does.
      if (answer.verdict !== 'recheck' || answer.reason === 'unconfirmed')
        throw new GuardRefused('service_disagrees', { words: disagreementWords(answer) });
      return silence(onUnavailable, undecidedWords(answer.reason));
    case 'unavailable':
      return silence(onUnavailable, SILENCE_WORDS[answer.cause]);
    default:
      return unreachable(answer);
  }
}

/** A word that is dated in the future would be trusted until then. */
function notAhead(witness: Witness, now: Date): Witness {
  const isAhead = Date.parse(witness.checkedAt) > now.getTime();
  return isAhead ? { ...witness, checkedAt: now.toISOString() } : witness;
}

function silence(onUnavailable: 'deny' | 'local', words?: string): null {
  if (onUnavailable === 'local') return null;
  throw new GuardRefused('service_unavailable', words === undefined ? {} : { words });
}

async function witnessedBefore(
  { ledger, now }: Guarding,
  { request }: Call,
  hashes: readonly string[],
): Promise<Witness | null> {
  const witnessedSince = new Date(now().getTime() - TRUSTED_FOR_MS);
  for (const termsSha256 of hashes) {
    const [found] = await ledger.find({ request, termsSha256, witnessedSince, limit: 1 });
    if (found?.witness != null) return found.witness;
  }
  return null;
}
