import type { PaymentTerms } from '../ledger/purchase-terms.ts';

/** A signed file of verdicts, asked on this machine: nobody learns which URL is about to be paid. */
export interface SnapshotWitness {
  /** Never rejects. */
  look(request: SnapshotRequest, now: Date): Promise<SnapshotAnswer>;
}

export interface SnapshotRequest {
  readonly url: string;
  readonly method: string;
  /** What may be signed. */
  readonly terms: readonly PaymentTerms[];
}

export type SnapshotAnswer =
  /** These terms passed on the day of the crawl. */
  | { readonly kind: 'seen'; readonly terms: PaymentTerms; readonly from: SnapshotSource }
  /** The listing was contradicted on the day of the crawl. */
  | { readonly kind: 'skip'; readonly code: SnapshotSkip }
  | { readonly kind: 'unknown'; readonly cause: UnknownCause };

/** Findings about the payment itself; others, such as a missing paywall, are no reason to refuse the one that is there now. */
export type SnapshotSkip = 'price_mismatch' | 'pay_to_mismatch' | 'asset_not_usdc' | 'terms_differ';

export type UnknownCause =
  | 'not_listed'
  | 'other_terms'
  | 'other_finding'
  | 'expired'
  | 'unreadable'
  /** The log that the file is an entry of has shown two histories. */
  | 'log_forked';

export interface SnapshotSource {
  readonly origin: string;
  readonly sha256: string;
  readonly crawledAt: Date;
}
