import type { TargetUrl } from '../url/target-url.ts';
import type { ProbeMethod } from '../verdict/probe-outcome.ts';
import type { SignedDocument } from './signed-document.ts';

/** What the owner of an endpoint may ask for. */
export type SellerAction =
  | { readonly action: 'retest' | 'withdraw_reply' | 'unwatch' }
  | { readonly action: 'watch'; readonly webhook: TargetUrl }
  /** Cleaned. */
  | { readonly action: 'reply'; readonly note: string };

/** A statement that was read, and the document that carries it. Its signature is not verified yet. */
export interface SellerRequest {
  readonly document: SignedDocument;
  readonly target: TargetUrl;
  /** Null: the method of the listing, else GET. */
  readonly method: ProbeMethod | null;
  readonly at: Date;
  readonly wanted: SellerAction;
}
