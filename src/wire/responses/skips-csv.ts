import { formatUsd, type MicroUsd } from '../../core/money/micro-usd.ts';
import type { CrawlReceipt } from '../../core/receipt/crawl-receipt.ts';
import type { Verdict } from '../../core/verdict/verdict.ts';
import type { SellerNotes } from '../../flows/seller/seller-notes.ts';
import type { Retest } from '../../ports/seller.ts';
import type { Links } from './links.ts';

/** The columns, named as in JSON; `code` is the `reason` of the filter. */
const COLUMNS: readonly (readonly [name: string, value: (row: CsvRow, links: Links) => string])[] = [
  ['id', ({ id }) => id],
  ['url', ({ url }) => url],
  ['method', ({ method }) => method],
  ['verdict', ({ verdict }) => verdict],
  ['code', ({ code }) => code],
  ['reason', ({ reason }) => reason],
  ['claimed_price_usd', ({ claimedPrice }) => usd(claimedPrice)],
  ['quoted_price_usd', ({ quotedPrice }) => usd(quotedPrice)],
  ['pay_to', ({ payTo }) => payTo ?? ''],
  ['listed_pay_to', ({ listedPayTo }) => listedPayTo ?? ''],
  ['network', ({ network }) => network ?? ''],
  ['listed_network', ({ listedNetwork }) => listedNetwork ?? ''],
  ['http_status', ({ httpStatus }) => (httpStatus === null ? '' : String(httpStatus))],
  ['source_list', ({ sourceList }) => sourceList],
  ['timestamp', ({ checkedAt }) => checkedAt.toISOString()],
  ['permalink', ({ id }, links) => links.receipt(id)],
  ['checked_again', ({ again }) => (again?.needsInput ? 'needs_input' : (again?.verdict ?? ''))],
  ['checked_again_at', ({ again }) => again?.checkedAt.toISOString() ?? ''],
  ['corrected', ({ corrected }) => corrected ?? ''],
];

interface CsvRow extends CrawlReceipt {
  readonly again: Retest | null;
  readonly corrected: Verdict['verdict'] | null;
}

export const CSV_TYPE = 'text/csv; charset=utf-8; header=present';

/** RFC 4180, with a line of names. */
export function skipsCsv(receipts: readonly CrawlReceipt[], links: Links, notes: SellerNotes): string {
  const names = COLUMNS.map(([name]) => name);
  const rows = receipts.map((receipt) => {
    const note = notes.get(receipt.id);
    const row = { ...receipt, again: note?.checkedAgain ?? null, corrected: note?.corrected ?? null };
    return COLUMNS.map(([, value]) => value(row, links));
  });
  return [names, ...rows].map((cells) => `${cells.map(cell).join(',')}\r\n`).join('');
}

/** A spreadsheet would execute a formula; an apostrophe makes it text (gap L52). */
function cell(value: string): string {
  const safe = value.replace(BEFORE_FORMULA, "$1'");
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Where the comma is for decimals, spreadsheets begin a cell at a semicolon, and a line at a line break, also inside quotes. */
const BEFORE_FORMULA = /(^|[;\r\n])(?=[\s"]*[=+\-@＝＋－＠\t\r])/gu;
/** Characters that RFC 4180 allows only inside quotes, and the semicolon. */
const QUOTED = /[^ !#-+\--:<-~]/;

function usd(amount: MicroUsd | null): string {
  return amount === null ? '' : formatUsd(amount);
}
