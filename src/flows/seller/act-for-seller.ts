import { addressKey, wideKey } from '../../core/access/caller-key.ts';
import { addressCounters, type Counter } from '../../core/access/quota.ts';
import { secondsToNextUtcDay, secondsToNextUtcHour, utcDay, utcHour } from '../../core/access/utc-window.ts';
import { readBase64url } from '../../core/seller/base64url.ts';
import { SELLER_REQUESTS_PER_HOUR, WATCHES_PER_NETWORK_DAY } from '../../core/seller/seller-limits.ts';
import type { SellerRequest } from '../../core/seller/seller-request.ts';
import {
  isCurrent,
  KEY_BYTES,
  SIGNATURE_BYTES,
  type SignedDocument,
  signedBytes,
  statementHash,
} from '../../core/seller/signed-document.ts';
import { blockRule } from '../../core/url/gate.ts';
import type { TargetUrl } from '../../core/url/target-url.ts';
import type { CounterStore } from '../../ports/counter-store.ts';
import type { SellerStore, VerifySignature } from '../../ports/seller.ts';
import type { Blocked } from '../check/look-at-endpoint.ts';
import type { ProveControl } from './prove-control.ts';
import { type ReplyResult, reply, type Withdrawn, withdrawReply } from './reply.ts';
import { type RetestPorts, type RetestResult, retest } from './retest.ts';
import {
  type Unwatched,
  unwatch,
  type WantedWatch,
  type WatchPorts,
  type WatchResult,
  watch,
} from './watch.ts';

export interface SellerPorts extends RetestPorts, Omit<WatchPorts, keyof RetestPorts> {
  readonly sellers: SellerStore;
  readonly counters: Pick<CounterStore, 'reserve' | 'giveBack'>;
  readonly verifySignature: VerifySignature;
  readonly proveControl: ProveControl;
}

export type SellerResult =
  | RetestResult
  | ReplyResult
  | Withdrawn
  | WatchResult
  | Unwatched
  | Blocked
  /** The signature is not that of the key. */
  | { readonly kind: 'forged' }
  /** The time of the statement is too far from ours. */
  | { readonly kind: 'out_of_time' }
  /** This statement was acted on before. */
  | { readonly kind: 'used' }
  | { readonly kind: 'unproven' }
  | { readonly kind: 'rate_limited'; readonly by: 'caller' | 'watches'; readonly retryAfterSeconds: number };

/** Does what the owner of a host has signed, once per statement (gap L110). `address` is the caller's. */
export async function actForSeller(
  request: SellerRequest,
  address: string,
  ports: SellerPorts,
): Promise<SellerResult> {
  const { document, target, at } = request;
  const now = ports.clock.now();
  if (!isSigned(document, ports.verifySignature)) return { kind: 'forged' };
  if (!isCurrent(at, now)) return { kind: 'out_of_time' };
  const rule = blockRule(target, ports.policy);
  if (rule !== null) {
    ports.onRefused?.(`url_${rule}`);
    return { kind: 'blocked' };
  }
  const hour = { window: utcHour(now), limit: SELLER_REQUESTS_PER_HOUR };
  const { granted } = await ports.counters.reserve(addressCounters(address, 'seller', hour, ports.secret));
  if (!granted) {
    return { kind: 'rate_limited', by: 'caller', retryAfterSeconds: secondsToNextUtcHour(now) };
  }
  const askedBy = addressKey(address, ports.secret);
  const proof = await ports.proveControl(target, document.key, askedBy);
  if (proof.kind === 'rate_limited') return { ...proof, by: 'target' };
  if (proof.kind !== 'proven') return proof;
  return once(request, () => act(request, { address, askedBy }, ports), ports);
}

/** The caller's address, and its key. */
interface AskedFrom {
  readonly address: string;
  readonly askedBy: string;
}

async function act(
  request: SellerRequest,
  { address, askedBy }: AskedFrom,
  ports: SellerPorts,
): Promise<SellerResult> {
  const { wanted } = request;
  switch (wanted.action) {
    case 'retest':
      return retest({ ...request, askedBy }, ports);
    case 'reply':
      return reply(request, wanted.note, ports);
    case 'withdraw_reply':
      return withdrawReply(request, ports);
    case 'watch':
      return countedWatch(request, wanted.webhook, address, ports);
    case 'unwatch':
      return unwatch(request, ports);
  }
}

/** Names of hosts and keys are free, a network (of IPv6, a whole /48) is not: nobody may have all watches. */
async function countedWatch(
  wanted: WantedWatch,
  webhook: TargetUrl,
  address: string,
  ports: SellerPorts,
): Promise<SellerResult> {
  const now = ports.clock.now();
  const network = wideKey(address, ports.secret) ?? addressKey(address, ports.secret);
  const counter: Counter = { key: `watch:${network}`, window: utcDay(now), limit: WATCHES_PER_NETWORK_DAY };
  if (!(await ports.counters.reserve([counter])).granted)
    return { kind: 'rate_limited', by: 'watches', retryAfterSeconds: secondsToNextUtcDay(now) };
  const result = await watch(wanted, webhook, ports);
  if (result.kind !== 'watched') await ports.counters.giveBack(counter);
  return result;
}

function isSigned({ statement, key, signature }: SignedDocument, verify: VerifySignature): boolean {
  const rawKey = readBase64url(key, KEY_BYTES);
  const rawSignature = readBase64url(signature, SIGNATURE_BYTES);
  if (rawKey === null || rawSignature === null) return false;
  return verify({ message: signedBytes(statement), key: rawKey, signature: rawSignature });
}

const EFFECTS: ReadonlySet<SellerResult['kind']> = new Set([
  'retested',
  'replied',
  'withdrawn',
  'watched',
  'unwatched',
]);

/** A statement that was refused, or that failed on our side, may be sent again. */
async function once(
  { document, at }: SellerRequest,
  work: () => Promise<SellerResult>,
  { counters }: SellerPorts,
): Promise<SellerResult> {
  // The day of the statement itself: the same counter whenever it is sent again.
  const seen: Counter = {
    key: `statement:${statementHash(document.statement)}`,
    window: utcDay(at),
    limit: 1,
  };
  if (!(await counters.reserve([seen])).granted) return { kind: 'used' };
  try {
    const result = await work();
    if (!EFFECTS.has(result.kind)) await counters.giveBack(seen);
    return result;
  } catch (fault) {
    await counters.giveBack(seen).catch(() => {});
    throw fault;
  }
}
