import { hash } from 'node:crypto';
import { newestTime } from '../../../core/is-dated-ahead.ts';
import { isNeutral, type LiveReceipt } from '../../../core/receipt/live-receipt.ts';
import { isStatement } from '../../../core/statement/read-statement.ts';
import { statementOfLive } from '../../../core/statement/stated-live.ts';
import { receiptEntry } from '../../../core/statement/statement-hash.ts';
import { commonSpelling } from '../../../core/url/redact-url.ts';
import type { KeptReceipt } from '../../../ports/check-writes.ts';
import type { AskedSo, LiveReceiptStore, WantedLatest } from '../../../ports/live-receipts.ts';
import type { Dialect } from '../engine/dialect.ts';
import type { Queries, Tables } from '../engine/tables.ts';
import type { Writes } from '../engine/writes.ts';
import { type EntryStatements, entryInsert } from '../log/log-rows.ts';
import { newestFirst, newestWeeksFirst } from './newest-receipts.ts';
import { decodeLiveReceipt, encodeListedReceipt, encodeOlderReceipt } from './receipt-codec.ts';
import { receiptPages } from './receipt-pages.ts';

export function sqlLiveReceipts(
  database: Queries,
  writes: Writes,
  dialect: Dialect,
  statements: ReceiptStatements,
): LiveReceiptStore {
  const latest = async (
    of: { readonly urlKey: string; readonly spelling?: string },
    wanted: WantedLatest,
  ) => {
    const newest = newestTime(wanted.now);
    const rows = await newestWeeksFirst(dialect, newest, wanted.limit, (since) => {
      const query = newestFirst(database, { ...wanted, since })
        .select('body')
        .where('url_key', '=', of.urlKey)
        .where('checked_at', '<=', newest.getTime());
      return (of.spelling === undefined ? query : query.where('spelling', '=', of.spelling)).execute();
    });
    return rows.map(({ body }) => decodeLiveReceipt(body));
  };
  return {
    add: (receipt, urlKey) => writes.one((queries) => statements.insert(queries, { receipt, urlKey })),
    byId: (id) => statements.byId(database, id),
    statement: (id) => statements.statement(database, id),
    async statements(ids) {
      if (ids.length === 0) return new Map();
      const rows = await database
        .selectFrom('live_receipts')
        .select(['id', 'body'])
        .where(dialect.among('id', ids))
        .execute();
      return new Map(rows.filter(({ body }) => isStatement(body)).map(({ id, body }) => [id, body]));
    },
    ...receiptPages(database, dialect),
    latestOf: (urlKey, wanted) => latest({ urlKey }, wanted),
    latestAsked: (urlKey, asked, wanted) => latest({ urlKey, spelling: askedKey(asked) }, wanted),
  };
}

export interface ReceiptStatements {
  /** With its entry in the log, so that no receipt can be left out of it; fails for an id that was given before, in any week. */
  insert(queries: Queries, kept: KeptReceipt): Promise<void>;
  byId(queries: Queries, id: string): Promise<LiveReceipt | null>;
  statement(queries: Queries, id: string): Promise<string | null>;
}

const INSERT =
  'insert into live_receipts (id, mode, ref, checked_at, url_key, spelling, body, listed) values (?, ?, ?, ?, ?, ?, ?, ?)';

/** Of an entry and its receipt. */
export function receiptTexts(dialect: Dialect): readonly string[] {
  return [entryInsert(dialect), INSERT];
}

/** Their values; a receipt of an older release has no entry. */
export function receiptRows({ receipt, urlKey, statement = statementOfLive(receipt) }: KeptReceipt) {
  const { id } = receipt;
  const row = liveReceiptRow(receipt, urlKey, statement ?? encodeOlderReceipt(receipt));
  return { id, entry: statement === null ? null : receiptEntry(id, statement), row };
}

export function receiptStatements(dialect: Dialect, entries: EntryStatements): ReceiptStatements {
  const insert = dialect.statement('add_receipt', INSERT);
  const insertBoth = dialect.together('add_receipt_and_new_entry', receiptTexts(dialect));
  const byId = dialect.statement<Pick<Tables['live_receipts'], 'body'>>(
    'receipt_by_id',
    'select body from live_receipts where id = ?',
  );
  return {
    async insert(queries, kept) {
      const { id, entry, row } = receiptRows(kept);
      if (entry !== null && insertBoth !== null) {
        await queries.executeQuery(insertBoth([id, entry, ...row]));
        return;
      }
      await queries.executeQuery(insert(row));
      if (entry !== null) await entries.insertNew(queries, id, entry);
    },
    async byId(queries, id) {
      const { rows } = await queries.executeQuery(byId([id]));
      return rows[0] === undefined ? null : decodeLiveReceipt(rows[0].body);
    },
    async statement(queries, id) {
      const { rows } = await queries.executeQuery(byId([id]));
      return rows[0] !== undefined && isStatement(rows[0].body) ? rows[0].body : null;
    },
  };
}

/** In the order of the columns above. */
function liveReceiptRow(receipt: LiveReceipt, urlKey: string, body: string): readonly unknown[] {
  const { id, mode, ref, checkedAt } = receipt;
  const asked = askedKey({ isNeutral: isNeutral(receipt), ...receipt });
  return [id, mode, ref, checkedAt.getTime(), urlKey, asked, body, encodeListedReceipt(receipt)];
}

const ASKED_HEX = 16;

/** Short, because it is in an index. Equal ones of one URL are no attack: they only mix its own receipts. */
function askedKey({ url, method, isNeutral }: AskedSo): string {
  const asked = `${method} ${isNeutral ? 'neutral' : 'own'} ${commonSpelling(url)}`;
  return hash('sha256', asked, 'hex').slice(0, ASKED_HEX);
}
