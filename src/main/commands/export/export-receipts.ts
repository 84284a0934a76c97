import type { StaticFolder } from '../../../adapters/archive/static-folder.ts';
import { decodeLiveReceipt } from '../../../adapters/store/receipts/receipt-codec.ts';
import type { Store } from '../../../adapters/store/store.ts';
import { inBatches } from '../../../core/concurrency/in-batches.ts';
import type { CrawlPosition, CrawlRun } from '../../../core/receipt/crawl-run.ts';
import type { CursorPosition } from '../../../core/receipt/cursor.ts';
import { receiptKind } from '../../../core/receipt/receipt-id.ts';
import { type FoundReceipt, statementById } from '../../../flows/read/read-receipts.ts';
import { shownPlace } from '../../../flows/read/shown-place.ts';
import { type NotePorts, notesOf, type SellerNotes } from '../../../flows/seller/seller-notes.ts';
import type { Links } from '../../../wire/responses/links.ts';
import { publicReceiptJson } from '../../../wire/responses/receipts/public-receipt-json.ts';

export interface ReceiptExportPorts {
  readonly store: Pick<Store, 'receipts' | 'receiptWeeks' | 'runs'>;
  readonly notes: NotePorts;
  readonly links: Links;
}

const ROWS_AT_ONCE = 250;
/** Each waits for the disk most of the time. */
const FILES_AT_ONCE = 16;
const PLACE = 'v1/receipts';
const JSON_ENDING = '.json';
const ALWAYS = { from: new Date(-8_640_000_000_000_000), to: new Date(8_640_000_000_000_000) };

/**
 * First what the folder lacks, then all that it has: the second look also finds receipts of older runs and what was withdrawn. Neither
 * holds more than a page.
 */
export async function exportReceipts(
  ports: ReceiptExportPorts,
  files: StaticFolder,
  noted: StaticFolder,
): Promise<void> {
  for await (const ids of storedIds(ports.store)) {
    const missing: string[] = [];
    for (const id of ids) {
      // What has another id is served nowhere, and names no file.
      if (receiptKind(id) !== null && !(await files.has(jsonPath(id)))) missing.push(id);
    }
    await exportBatch(missing, ports, files, FILES_AT_ONCE);
  }
  // One after the other, so that an index names the same files in the same order.
  for await (const ids of idsIn(files)) await exportBatch(ids, ports, noted, 1);
}

/** The checks of all weeks, and the latest run. */
async function* storedIds({
  receiptWeeks,
  runs,
}: ReceiptExportPorts['store']): AsyncGenerator<readonly string[]> {
  for (const mode of ['live', 'dry-run'] as const) {
    for (let above: CursorPosition | null = null; ; ) {
      const rows = await receiptWeeks.read(mode, ALWAYS, above, ROWS_AT_ONCE);
      yield rows.map(({ id }) => id);
      above = rows.at(-1) ?? null;
      if (above === null) break;
    }
  }
  const latest = await runs.latest();
  if (latest === null) return;
  for (let after: CrawlPosition | null = null; ; ) {
    const rows = await runs.rows(latest.id, after, ROWS_AT_ONCE);
    yield rows.map(({ receipt }) => receipt.id);
    after = rows.at(-1)?.receipt ?? null;
    if (after === null) return;
  }
}

/** A statement without its JSON is what a crash leaves. Names that are not ours stay. */
async function* idsIn(files: StaticFolder): AsyncGenerator<readonly string[]> {
  let batch: string[] = [];
  for await (const name of files.names(PLACE)) {
    const isJson = name.endsWith(JSON_ENDING);
    const id = isJson ? name.slice(0, -JSON_ENDING.length) : name;
    if (receiptKind(id) === null || (!isJson && (await files.has(jsonPath(id))))) continue;
    batch.push(id);
    if (batch.length < ROWS_AT_ONCE) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

async function exportBatch(
  ids: readonly string[],
  ports: ReceiptExportPorts,
  files: StaticFolder,
  atOnce: number,
): Promise<void> {
  const found = await readBatch(ids, ports.store);
  const latest = await ports.store.runs.latest();
  const notes = await notesOf(
    [...found.values()].map(({ receipt }) => receipt),
    ports.notes,
  );
  for (const some of inBatches(ids, atOnce)) {
    await Promise.all(
      some.map((id) => exportOne(id, found.get(id) ?? null, { notes, latest }, { ports, files })),
    );
  }
}

async function readBatch(
  ids: readonly string[],
  { receipts, runs }: ReceiptExportPorts['store'],
): Promise<ReadonlyMap<string, FoundReceipt>> {
  const found = new Map<string, FoundReceipt>();
  const live = ids.filter((id) => receiptKind(id) === 'live');
  const statements = await receipts.statements(live);
  for (const id of live) {
    const statement = statements.get(id);
    // One of an older release, or none at all.
    const receipt = statement === undefined ? await receipts.byId(id) : decodeLiveReceipt(statement);
    if (receipt !== null) found.set(id, { kind: 'live', receipt });
  }
  const crawled = await runs.byIds(ids.filter((id) => receiptKind(id) === 'crawl'));
  for (const receipt of crawled) found.set(receipt.id, { kind: 'crawl', receipt });
  return found;
}

/** The statement comes before the JSON, by which a later run sees that both are there. */
async function exportOne(
  id: string,
  found: FoundReceipt | null,
  { notes, latest }: { readonly notes: SellerNotes; readonly latest: CrawlRun | null },
  { ports: { store, links }, files }: { readonly ports: ReceiptExportPorts; readonly files: StaticFolder },
): Promise<void> {
  const statement = found === null ? 'unknown_receipt' : await statementById(id, store);
  if (found === null || statement === 'unknown_receipt') {
    return files.remove(jsonPath(id), `${PLACE}/${id}`);
  }
  if (statement !== 'no_statement') await files.put(`${PLACE}/${id}/statement`, statement);
  const place = await shownPlace(found, latest, store.runs);
  const json = publicReceiptJson(found, links, { place, reply: notes.get(id)?.reply ?? null });
  await files.put(jsonPath(id), JSON.stringify(json));
}

function jsonPath(id: string): string {
  return `${PLACE}/${id}${JSON_ENDING}`;
}
