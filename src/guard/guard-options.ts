import type { RefusalCode } from './guard-refused.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { PurchaseTerms } from './ledger/purchase.ts';
import type { SnapshotWitness } from './witness/snapshot-witness.ts';

/** Amounts are USD as decimal text: '0.10'. */
export interface GuardLimits {
  readonly perPayment: string;
  /** In any 24 hours. */
  readonly perDay: string;
  readonly perHostDay?: string | undefined;
  readonly perTask?: string | undefined;
}

export interface GuardOptions {
  /** `memoryLedger()` forgets everything when the process ends, and with it what may have been paid. */
  readonly ledger: Ledger;
  readonly limits: GuardLimits;
  /** The base URL of an Assay service that looks at new terms from another place; null asks nobody. */
  readonly ask?: string | null | undefined;
  readonly askWhen?: 'always' | 'new-terms' | 'never' | undefined;
  readonly askTimeoutMs?: number | undefined;
  /** A fetch that pays, for checks beyond the free share of the service. */
  readonly payAsk?: typeof globalThis.fetch | undefined;
  /** `openSnapshot` of `assay/guard/snapshot`: a signed file of verdicts, looked at before the service is asked. */
  readonly snapshot?: SnapshotWitness | undefined;
  /** What to do when neither service nor snapshot gives an answer: refuse, or decide by the local rules alone. */
  readonly onUnavailable?: 'deny' | 'local' | undefined;
  /** The buyer's own listing, over everything else. */
  readonly expect?: Expect | undefined;
  /** Networks beside the mainnets, by their CAIP-2 names. */
  readonly networks?: Readonly<Record<string, { readonly usdc: string }>> | undefined;
  /** Host names without ports that may be paid; '*.example.com' means all names below example.com. */
  readonly hosts?: readonly string[] | undefined;
  readonly approve?: ((purchase: PurchaseToApprove) => boolean | Promise<boolean>) | undefined;
  /** USD; payments up to it need no approval. Left out, every payment needs it. */
  readonly approveAbove?: string | undefined;
  /** The same request is a new purchase only so long after the last one was delivered. */
  readonly repeatAfterMs?: number | undefined;
  /** No payment is signed for longer, whatever the seller asks. */
  readonly lifeMaxSeconds?: number | undefined;
  /** A node of the chain, which is asked whether a payment without an answer was taken. */
  readonly chain?: { readonly rpcUrl: string } | null | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
  readonly now?: (() => Date) | undefined;
  readonly onDecision?: ((decision: Decision) => void) | undefined;
}

export type Expect = (
  url: string,
  call: { readonly method: string },
) => Expectation | null | undefined | Promise<Expectation | null | undefined>;

/** Any member may be left out. */
export interface Expectation {
  readonly price?: string | null | undefined;
  readonly payTo?: string | null | undefined;
  readonly network?: string | null | undefined;
}

/** Facts only, no text of the seller. */
export interface PurchaseToApprove {
  readonly url: string;
  readonly host: string;
  readonly method: string;
  readonly task: string | null;
  readonly purchase: string | null;
  /** USD. */
  readonly price: string;
  /** The first of `choices`. */
  readonly terms: PurchaseTerms;
  /** All that a yes allows: the same price to the same payee, on each network. The payer signs one of them. */
  readonly choices: readonly PurchaseTerms[];
  /** The payee or the price is not that of the last delivered purchase. */
  readonly termsChanged: boolean;
}

/** What the guard decided, for logs. */
export type Decision =
  | {
      readonly kind: 'approved' | 'sent' | 'delivered' | 'empty' | 'failed' | 'asked_again' | 'unknown';
      readonly at: Date;
      readonly purchaseId: string;
      readonly url: string;
      readonly method: string;
      readonly terms: PurchaseTerms;
    }
  | {
      readonly kind: 'refused';
      readonly at: Date;
      readonly code: RefusalCode;
      readonly purchaseId: string | null;
      readonly url: string;
      readonly method: string;
    };
