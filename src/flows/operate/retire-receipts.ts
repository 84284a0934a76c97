import type { CursorPosition } from '../../core/receipt/cursor.ts';
import { mondayOf, weekName, weeksLater } from '../../core/receipt/iso-week.ts';
import type { ArchivedReceipt, ReceiptArchive } from '../../ports/archive/receipt-archive.ts';
import type { ReceiptTime, ReceiptWeeks } from '../../ports/live-receipts.ts';
import type { Withdrawals } from '../../ports/log/withdrawals.ts';

export interface RetirePorts {
  readonly weeks: Pick<ReceiptWeeks, 'oldest' | 'read' | 'droppable' | 'mark' | 'drop' | 'remove'>;
  readonly withdrawals: Pick<Withdrawals, 'among' | 'ids'>;
  readonly archive: ReceiptArchive;
  /** Files of each receipt beside those of the weeks. */
  readonly files?: ReceiptFiles;
  readonly onWeek: (week: RetiredWeek) => void;
  /** Throws when another run may be under way. */
  readonly keepHold: () => Promise<void>;
}

export interface ReceiptFiles {
  /** Nothing if they are there. */
  write(receipt: ArchivedReceipt): Promise<void>;
  remove(id: string): Promise<void>;
}

export interface RetiredWeek {
  readonly week: string;
  readonly receipts: number;
  readonly sha256: string;
}

const ROWS_AT_ONCE = 500;
const ATTEMPTS_MAX = 5;
const EVER = new Date(-8_640_000_000_000_000);

/**
 * Moves all receipts before a Monday into the archive, week by week. A week is in the archive, durable and read back, before
 * anything of it is removed; whatever comes or goes meanwhile has its part archived again.
 */
export async function retireReceipts(before: Date, ports: RetirePorts): Promise<void> {
  const { weeks } = ports;
  await removeWithdrawnFiles(ports);
  for (const part of await weeks.droppable(before)) await retirePart(part, ports);
  // What is in one table, of all weeks or of those before there were partitions.
  for await (const time of weeksWithReceipts({ from: EVER, to: before }, ports)) {
    await archiveWeek(time, ports);
    for await (const batch of idsOf(ports.archive.read(weekName(time.from)))) {
      await ports.keepHold();
      await weeks.remove(batch);
    }
    await archiveAgainIfWithdrawn(time, ports);
  }
}

/** A killed run may have written files of a receipt that neither the archive nor, once withdrawn, the store has. */
async function removeWithdrawnFiles({ withdrawals, files }: RetirePorts): Promise<void> {
  if (files === undefined) return;
  for (let above = ''; ; ) {
    const ids = await withdrawals.ids(above, ROWS_AT_ONCE);
    for (const id of ids) await files.remove(id);
    above = ids.at(-1) ?? '';
    if (ids.length < ROWS_AT_ONCE) return;
  }
}

async function retirePart(part: ReceiptTime, ports: RetirePorts): Promise<void> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const mark = await ports.weeks.mark(part);
    for await (const time of weeksWithReceipts(part, ports)) await archiveWeek(time, ports);
    await ports.keepHold();
    if (await ports.weeks.drop(part, mark)) return;
  }
  throw new Error(`receipts before ${part.to.toISOString()} change all the time: try again later`);
}

async function* weeksWithReceipts(
  { from, to }: ReceiptTime,
  { weeks }: RetirePorts,
): AsyncGenerator<ReceiptTime> {
  for (let since = from; ; ) {
    const oldest = await weeks.oldest(since);
    if (oldest === null || oldest >= to) return;
    const monday = mondayOf(oldest);
    since = weeksLater(monday, 1);
    yield { from: monday, to: since };
  }
}

async function archiveWeek(time: ReceiptTime, ports: RetirePorts): Promise<void> {
  const week = weekName(time.from);
  const written = await ports.archive.write(week, receiptsOf(time, ports));
  ports.onWeek({ week, ...written });
}

/** What is in the archive already, as after a crash, and what the store has; without what was withdrawn. */
async function* receiptsOf(time: ReceiptTime, ports: RetirePorts): AsyncGenerator<ArchivedReceipt> {
  const seen = new Set<string>();
  for await (const batch of batchesOf(ports.archive.read(weekName(time.from)))) {
    const withdrawn = new Set((await ports.withdrawals.among(batch.map(({ id }) => id))).map(({ id }) => id));
    for (const receipt of batch) {
      seen.add(receipt.id);
      if (withdrawn.has(receipt.id)) {
        await ports.files?.remove(receipt.id);
        continue;
      }
      // A run without files may have archived it.
      await ports.files?.write(receipt);
      yield receipt;
    }
  }
  for (const mode of ['live', 'dry-run'] as const) {
    for await (const receipt of stored(mode, time, ports)) {
      if (seen.has(receipt.id)) continue;
      await ports.files?.write(receipt);
      yield receipt;
    }
  }
  // Next the archive replaces the week.
  await ports.keepHold();
}

async function* stored(
  mode: ArchivedReceipt['mode'],
  time: ReceiptTime,
  { weeks }: RetirePorts,
): AsyncGenerator<ArchivedReceipt> {
  for (let above: CursorPosition | null = null; ; ) {
    const rows = await weeks.read(mode, time, above, ROWS_AT_ONCE);
    for (const { id, checkedAt, body } of rows) yield { id, mode, checkedAt, body };
    above = rows.at(-1) ?? null;
    if (rows.length < ROWS_AT_ONCE) return;
  }
}

/** A receipt may have been withdrawn after it was read and before it was removed. */
async function archiveAgainIfWithdrawn(time: ReceiptTime, ports: RetirePorts): Promise<void> {
  for await (const batch of idsOf(ports.archive.read(weekName(time.from)))) {
    if ((await ports.withdrawals.among(batch)).length > 0) return archiveWeek(time, ports);
  }
}

async function* idsOf(receipts: AsyncIterable<ArchivedReceipt>): AsyncGenerator<readonly string[]> {
  for await (const batch of batchesOf(receipts)) yield batch.map(({ id }) => id);
}

async function* batchesOf(
  receipts: AsyncIterable<ArchivedReceipt>,
): AsyncGenerator<readonly ArchivedReceipt[]> {
  let batch: ArchivedReceipt[] = [];
  for await (const receipt of receipts) {
    batch.push(receipt);
    if (batch.length < ROWS_AT_ONCE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
