import type { CrawlReceipt } from '../../core/receipt/crawl-receipt.ts';
import { blockRule, type GatePolicy } from '../../core/url/gate.ts';
import { isRedacted } from '../../core/url/redact-url.ts';
import { parseTargetUrl } from '../../core/url/target-url.ts';
import type { Verdict } from '../../core/verdict/verdict.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Reply, Retest, SellerStore } from '../../ports/seller.ts';

export interface NotePorts {
  readonly sellers: Pick<SellerStore, 'retestsOf' | 'repliesOf' | 'revision'>;
  readonly policy: GatePolicy;
  readonly keyOf: (text: string) => string;
  readonly clock: Pick<Clock, 'now'>;
}

/** What has happened to an endpoint since a receipt, by its owner or by us. */
export interface SellerNote {
  /** A re-test newer than the receipt. */
  readonly checkedAgain: Retest | null;
  /** The words of the owner; those of a host that opted out are hidden. */
  readonly reply: Reply | null;
  /** The right verdict, where that of the receipt was wrong; where nobody looked for corrections, it is absent as well. */
  readonly corrected?: Verdict['verdict'];
}

/** Notes by the id of their receipt. */
export type SellerNotes = ReadonlyMap<string, SellerNote>;

export const NO_NOTES: SellerNotes = new Map();

type Noted = Pick<CrawlReceipt, 'id' | 'url' | 'method' | 'checkedAt'>;

/** The notes of a page of receipts, in one query each. A redacted URL has none: its key cannot be computed. */
export async function notesOf(receipts: readonly Noted[], ports: NotePorts): Promise<SellerNotes> {
  const keys = new Map(receipts.map((receipt) => [receipt, keysOf(receipt, ports)]));
  const known = [...keys.values()].filter((key) => key !== null);
  const [retests, replies] = await Promise.all([
    ports.sellers.retestsOf([...new Set(known.map(({ spelling }) => spelling))], ports.clock.now()),
    ports.sellers.repliesOf([...new Set(known.map(({ url }) => url))]),
  ]);
  if (retests.length + replies.length === 0) return NO_NOTES;
  const retestOf = new Map(retests.map((one) => [`${one.method} ${one.spellingKey}`, one]));
  const replyOf = new Map(replies.map((one) => [one.urlKey, one]));
  const notes = new Map<string, SellerNote>();
  for (const [{ id, method, checkedAt }, key] of keys) {
    if (key === null) continue;
    const again = retestOf.get(`${method} ${key.spelling}`);
    const checkedAgain = again !== undefined && again.checkedAt > checkedAt ? again : null;
    const reply = replyOf.get(key.url) ?? null;
    if (checkedAgain !== null || reply !== null) notes.set(id, { checkedAgain, reply });
  }
  return notes;
}

/** The note of one receipt; null when there is none. */
export async function noteOf(receipt: Noted, ports: NotePorts): Promise<SellerNote | null> {
  return (await notesOf([receipt], ports)).get(receipt.id) ?? null;
}

/** Replies are about a URL however it is spelled, re-tests about one spelling (gap G99). */
interface Keys {
  readonly url: string;
  readonly spelling: string;
}

/** Null for what is redacted, and for a host that opted out or was blocked since (gap G77). */
function keysOf({ url }: Noted, { keyOf, policy }: NotePorts): Keys | null {
  if (isRedacted(url)) return null;
  const reading = parseTargetUrl(url);
  if (reading.kind === 'invalid' || blockRule(reading.target, policy) !== null) return null;
  const { normalized, href } = reading.target;
  return { url: keyOf(normalized), spelling: keyOf(href) };
}
