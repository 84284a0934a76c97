import {
  WATCH_DAYS,
  WATCHES_MAX,
  WATCHES_PER_KEY,
  WATCHES_PER_ORIGIN,
} from '../../core/seller/seller-limits.ts';
import type { SignedDocument } from '../../core/seller/signed-document.ts';
import { webhookKey } from '../../core/seller/webhook-signature.ts';
import { blockRule, type GatePolicy } from '../../core/url/gate.ts';
import { originOf, type TargetUrl } from '../../core/url/target-url.ts';
import type { ProbeMethod } from '../../core/verdict/probe-outcome.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Watch, WatchStore } from '../../ports/seller.ts';
import { isSecret, type SecretPorts } from './is-secret.ts';
import { type NeutralPorts, neutralReceipts } from './neutral-receipts.ts';

export interface WatchPorts extends SecretPorts {
  readonly watches: Pick<WatchStore, 'add' | 'remove'>;
  readonly watched: NeutralPorts;
  readonly policy: GatePolicy;
  readonly entropy: (bytes: number) => Uint8Array;
  readonly keyOf: (text: string) => string;
  readonly secret: string;
  readonly clock: Pick<Clock, 'now'>;
}

export interface WantedWatch {
  readonly target: TargetUrl;
  readonly method: ProbeMethod | null;
  readonly document: Pick<SignedDocument, 'key'>;
}

export type WatchResult =
  /** `signingKey` is derived, and given out here and nowhere else. */
  | { readonly kind: 'watched'; readonly watch: Watch; readonly signingKey: string }
  | { readonly kind: 'secret_url' }
  /** Not https, or not on the public web. */
  | { readonly kind: 'bad_webhook' }
  | { readonly kind: 'too_many_watches' };

const ID_BYTES = 12;
const DAY_MS = 86_400_000;

/** Tells a webhook about changes from now on (gap L113). The same URL, method and webhook again is a new watch with a new key. */
export async function watch(
  wanted: WantedWatch,
  webhook: TargetUrl,
  ports: WatchPorts,
): Promise<WatchResult> {
  const { target, method, document } = wanted;
  const urlKey = ports.keyOf(target.normalized);
  if (webhook.scheme !== 'https' || blockRule(webhook, ports.policy) !== null) return { kind: 'bad_webhook' };
  if (await isSecret(target, urlKey, ports)) return { kind: 'secret_url' };
  const [seen = null] = await neutralReceipts(wanted, ports.watched);
  const made: Watch = {
    id: Buffer.from(ports.entropy(ID_BYTES)).toString('hex'),
    urlKey,
    originKey: ports.keyOf(originOf(target)),
    ownerKey: ports.keyOf(document.key),
    url: target.href,
    method,
    webhook: webhook.href,
    until: new Date(ports.clock.now().getTime() + WATCH_DAYS * DAY_MS),
    seen,
  };
  const most = { ofOrigin: WATCHES_PER_ORIGIN, ofOwner: WATCHES_PER_KEY, inAll: WATCHES_MAX };
  const isAdded = await ports.watches.add(made, most);
  if (!isAdded) return { kind: 'too_many_watches' };
  return { kind: 'watched', watch: made, signingKey: webhookKey(made.id, ports.secret) };
}

export interface Unwatched {
  readonly kind: 'unwatched';
  readonly ended: number;
}

export async function unwatch(
  { target }: WantedWatch,
  { watches, keyOf }: Pick<WatchPorts, 'watches' | 'keyOf'>,
): Promise<Unwatched> {
  return { kind: 'unwatched', ended: await watches.remove(keyOf(target.normalized)) };
}
