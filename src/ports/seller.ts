import type { SeenState } from '../core/seller/observed-state.ts';
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

/** The latest re-test of one spelling of a URL, with one method. */
export interface Retest {
  /** A keyed hash of the URL as it was requested. */
  readonly spellingKey: string;
  readonly method: ProbeMethod;
  readonly verdict: Verdict['verdict'];
  /** In words of our own. */
  readonly reason: string;
  /** Nothing was found against an endpoint that wants input first (gap G100). */
  readonly needsInput: boolean;
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
  /** Keeps the newer of what is there and this one; what a wrong clock has dated ahead is not newer (gap L76). */
  keepRetest(retest: Retest): Promise<void>;
  /** The re-tests of these spellings, in no particular order, without those that a wrong clock has dated ahead. */
  retestsOf(spellingKeys: readonly string[], now: Date): Promise<readonly Retest[]>;
  /** False when a newer statement about this URL is known: nothing was kept. */
  keepReply(reply: Reply): Promise<boolean>;
  /** Removes the reply to this URL that is not newer than `at`. False when there was none. */
  withdrawReply(urlKey: string, at: Date): Promise<boolean>;
  /** The replies to these URLs, in no particular order. */
  repliesOf(urlKeys: readonly string[]): Promise<readonly Reply[]>;
  /** Changes with everything that is kept here; null before the first. Pages that show it are rendered anew. */
  revision(): Promise<string | null>;
}

/** A webhook that is told when an endpoint changes. */
export interface Watch {
  readonly id: string;
  readonly urlKey: string;
  /** A keyed hash of scheme, host and port of the watched endpoint, whose control was proved. */
  readonly originKey: string;
  /** A keyed hash of the public key that the owner signed with. */
  readonly ownerKey: string;
  readonly url: string;
  /** Null: the listed method, else GET. */
  readonly method: ProbeMethod | null;
  readonly webhook: string;
  readonly until: Date;
  /** What the endpoint was last known to be; null before the first receipt. */
  readonly seen: SeenState | null;
}

/** A watch as it was read; another process may have changed it since. */
export interface TakenWatch extends Watch {
  readonly version: number;
}

export interface WebhookEvent {
  /** The same at every attempt, for the receiver to recognise. */
  readonly id: string;
  readonly watchId: string;
  readonly body: string;
}

/** An event to be sent now; the lease of this process is on it. */
export interface DueEvent extends WebhookEvent {
  /** The watched endpoint. */
  readonly url: string;
  readonly webhook: string;
  /** A keyed hash of scheme, host and port of the watched endpoint, whose control was proved. */
  readonly originKey: string;
  /** Attempts before this one. */
  readonly failed: number;
}

export interface MostWatches {
  readonly ofOrigin: number;
  readonly ofOwner: number;
  readonly inAll: number;
}

/** Watches and the events that they have to send. Leases are by the clock of the store. */
export interface WatchStore {
  /** Replaces a watch of the same URL, method and webhook. False when there are too many. */
  add(watch: Watch, most: MostWatches): Promise<boolean>;
  /** Ends the watches of a URL, with what they still had to send; answers how many. */
  remove(urlKey: string): Promise<number>;
  /** Watches that nobody has looked at for so long, at most `limit`; the call counts as a look. Ends those that ran out. */
  take(everyMs: number, now: Date, limit: number): Promise<readonly TakenWatch[]>;
  /** Keeps what was seen, and an event to send about it, in one step. False when another process was faster. */
  note(watch: TakenWatch, seen: SeenState, event: WebhookEvent | null): Promise<boolean>;
  /** Events that are due, at most `limit`, leased for so long. */
  takeEvents(leaseMs: number, limit: number): Promise<readonly DueEvent[]>;
  /** The event is not sent again: it is delivered, or must not be sent. */
  drop(eventId: string): Promise<void>;
  /** Sends it again after so long. */
  retry(eventId: string, failed: number, afterMs: number): Promise<void>;
  /** Gives up on an event, and ends its watch: nobody listens there. */
  giveUp(event: WebhookEvent): Promise<void>;
}

/** Posts to a webhook through the gate. Never throws for what the receiver does. */
export type SendWebhook = (sent: {
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}) => Promise<'delivered' | 'failed'>;
