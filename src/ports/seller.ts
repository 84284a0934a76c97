import type { SignedDocument } from '../core/seller/signed-document.ts';
import type { TargetUrl } from '../core/url/target-url.ts';
import type { ProbeMethod } from '../core/verdict/probe-outcome.ts';
import type { Verdict } from '../core/verdict/verdict.ts';
import type { Place } from './prober.ts';

/** Ed25519. False for a key that is none. */
export type VerifySignature = (signed: {
  readonly message: Uint8Array;
  readonly key: Uint8Array;
  readonly signature: Uint8Array;
}) => boolean;

/** What the owner of a host has published about itself. Whatever the host does is a value. */
export interface ProofSource {
  /** The file at this URL, read from one of the addresses of the place; null when there is none, or it is too large. */
  file(target: TargetUrl, place: Place): Promise<string | null>;
  /** The TXT records of a name; none when the look-up fails. */
  records(name: string): Promise<readonly string[]>;
}

/** The latest re-test of a URL and method. */
export interface Retest {
  /** A keyed hash of the normalised URL. */
  readonly urlKey: string;
  readonly method: ProbeMethod;
  readonly verdict: Verdict['verdict'];
  /** In words of our own. */
  readonly reason: string;
  readonly receiptId: string;
  readonly checkedAt: Date;
}

/** What the owner of an endpoint says about it in public. */
export interface Reply {
  readonly urlKey: string;
  /** Cleaned. */
  readonly note: string;
  /** The time of the statement. */
  readonly at: Date;
  readonly signed: SignedDocument;
}

/** What owners of endpoints had us keep. */
export interface SellerStore {
  /** Keeps the newer of what is there and this one. */
  keepRetest(retest: Retest): Promise<void>;
  /** The re-tests of these URLs, in no particular order. */
  retestsOf(urlKeys: readonly string[]): Promise<readonly Retest[]>;
  /** False when a newer statement about this URL is known: nothing was kept. */
  keepReply(reply: Reply): Promise<boolean>;
  /** Removes the reply to this URL that is not newer than `at`. False when there was none. */
  withdrawReply(urlKey: string, at: Date): Promise<boolean>;
  /** The replies to these URLs, in no particular order. */
  repliesOf(urlKeys: readonly string[]): Promise<readonly Reply[]>;
  /** Changes with everything that is kept here; null before the first. Pages that show it are rendered anew. */
  revision(): Promise<string | null>;
}
