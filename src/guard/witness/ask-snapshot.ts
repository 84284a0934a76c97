import type { Expected } from '../../core/verdict/expected-terms.ts';
import type { Call } from '../call/call.ts';
import type { Candidate } from '../challenge/approve-entries.ts';
import { GuardRefused } from '../guard-refused.ts';
import type { Witness } from '../ledger/purchase.ts';
import { termsSha256Of } from '../ledger/purchase-terms.ts';
import type { SnapshotSkip, SnapshotWitness } from './snapshot-witness.ts';

export interface SnapshotAsked {
  readonly call: Call;
  readonly candidates: readonly Candidate[];
  readonly expected: Expected;
  readonly now: Date;
}

/** The snapshot's yes; null when it does not know. Its no refuses, like that of a service. */
export async function askSnapshot(
  snapshot: SnapshotWitness,
  { call, candidates, expected, now }: SnapshotAsked,
): Promise<Witness | null> {
  const terms = candidates.map((candidate) => candidate.terms);
  const answer = await snapshot.look({ url: call.url.href, method: call.method, terms }, now);
  if (answer.kind === 'skip' && !isOverruled(answer.code, expected))
    throw new GuardRefused('service_disagrees', { words: SKIP_WORDS[answer.code] });
  if (answer.kind !== 'seen') return null;
  const { origin, sha256, crawledAt } = answer.from;
  return {
    service: origin,
    receiptId: null,
    permalink: null,
    termsSha256: termsSha256Of(answer.terms),
    checkedAt: crawledAt.toISOString(),
    snapshot: sha256,
  };
}

/** A mismatch is one with a public list. The buyer's own listing is over it, and was compared already. */
function isOverruled(code: SnapshotSkip, { price, payTo }: Expected): boolean {
  if (code === 'price_mismatch') return price !== null;
  return code === 'pay_to_mismatch' && payTo !== null;
}

const SKIP_WORDS: Readonly<Record<SnapshotSkip, string>> = {
  price_mismatch: 'In the snapshot of the crawl this endpoint asks another price than it is listed with.',
  pay_to_mismatch: 'In the snapshot of the crawl this endpoint names another payee than it is listed with.',
  terms_differ: 'In the snapshot of the crawl this endpoint shows different terms to different visitors.',
  asset_not_usdc: 'In the snapshot of the crawl this endpoint asks for another token than USDC.',
};
