import type { CrawlReceipt } from '../../core/receipt/crawl-receipt.ts';
import { isRedacted } from '../../core/url/redact-url.ts';
import { parseTargetUrl } from '../../core/url/target-url.ts';
import type { Retest, SellerStore } from '../../ports/seller.ts';

export interface NotePorts {
  readonly sellers: Pick<SellerStore, 'retestsOf' | 'revision'>;
  readonly keyOf: (text: string) => string;
}

/** What has happened to an endpoint since a receipt, by its owner. */
export interface SellerNote {
  /** A re-test newer than the receipt. */
  readonly checkedAgain: Retest | null;
}

/** Notes by the id of their receipt. */
export type SellerNotes = ReadonlyMap<string, SellerNote>;

export const NO_NOTES: SellerNotes = new Map();

type Noted = Pick<CrawlReceipt, 'id' | 'url' | 'method' | 'checkedAt'>;

/** The notes of a page of receipts, in one query. A redacted URL has none: its key cannot be computed. */
export async function notesOf(receipts: readonly Noted[], ports: NotePorts): Promise<SellerNotes> {
  const keys = new Map(receipts.map((receipt) => [receipt, urlKeyOf(receipt, ports)]));
  const wanted = [...new Set([...keys.values()].filter((key) => key !== null))];
  const retests = new Map(
    (await ports.sellers.retestsOf(wanted)).map((one) => [`${one.method} ${one.urlKey}`, one]),
  );
  if (retests.size === 0) return NO_NOTES;
  const notes = new Map<string, SellerNote>();
  for (const [{ id, method, checkedAt }, key] of keys) {
    const again = retests.get(`${method} ${key}`);
    if (again !== undefined && again.checkedAt > checkedAt) notes.set(id, { checkedAgain: again });
  }
  return notes;
}

function urlKeyOf({ url }: Noted, { keyOf }: NotePorts): string | null {
  if (isRedacted(url)) return null;
  const reading = parseTargetUrl(url);
  return reading.kind === 'target' ? keyOf(reading.target.normalized) : null;
}
