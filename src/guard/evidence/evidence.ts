import type { Purchase } from '../ledger/purchase.ts';
import { type Drafts, draftsOf } from './drafts.ts';
import { type EvidenceFacts, factsOf } from './evidence-facts.ts';

/** One purchase as one JSON object: for the seller, an arbiter, or the books. */
export interface Evidence extends EvidenceFacts {
  /** Bodies for extensions of x402 that are drafts yet. */
  readonly drafts: Drafts;
}

export interface EvidenceOptions {
  readonly now: Date;
  /** Another purchase of the same request was paid and delivered: this payment is one too many. */
  readonly isDuplicate?: boolean;
}

export function evidenceOf(purchase: Purchase, { now, isDuplicate = false }: EvidenceOptions): Evidence {
  const facts = factsOf(purchase, now);
  return { ...facts, drafts: draftsOf({ purchase, facts, isDuplicate }) };
}
