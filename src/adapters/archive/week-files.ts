import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { ArchivedReceipt, ArchivedWeek, ReceiptArchive } from '../../ports/archive/receipt-archive.ts';
import { draftOf, moveDurably, writeDurably } from '../system/durable-file.ts';
import { alone, identityOf } from './exclusive.ts';
import { packedLines, writePacked } from './packed-file.ts';

const line = z.strictObject({
  id: z.string(),
  mode: z.enum(['live', 'dry-run']),
  checked_at: z.iso.datetime(),
  body: z.string(),
});

/** `receipts/2026w47.ndjson.gz` with one JSON object a line, and `receipts/2026w47.json`, which says what is in it. */
export function weekFiles(folder: string): ReceiptArchive {
  const fileOf = (week: string) => join(folder, 'receipts', `${week}.ndjson.gz`);
  return {
    read: (week) => readWeek(fileOf(week)),
    async write(week, receipts) {
      await mkdir(join(folder, 'receipts'), { recursive: true });
      const file = fileOf(week);
      const draft = draftOf(file);
      const before = await identityOf(file);
      try {
        const written = await writePacked(draft, (append) => digestOf(receipts, append));
        const found = await digestOf(readWeek(draft));
        if (found.digest !== written.digest || found.receipts !== written.receipts) {
          throw new Error(`${draft} is not what was written to it`);
        }
        const sha256 = await sha256Of(draft);
        await alone(join(folder, 'receipts', 'lock'), async () => {
          if ((await identityOf(file)) !== before) throw new Error(`${file} changed meanwhile: run it again`);
          await moveDurably(draft, file);
          await writeDurably(
            join(folder, 'receipts', `${week}.json`),
            manifestOf(week, written.receipts, sha256),
          );
        });
        return { receipts: written.receipts, sha256 };
      } catch (fault) {
        await rm(draft, { force: true });
        throw fault;
      }
    },
  };
}

function manifestOf(week: string, receipts: number, sha256: string): string {
  const manifest = { assay_archive: 1, week, file: `${week}.ndjson.gz`, receipts, sha256 };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

interface Digest extends Pick<ArchivedWeek, 'receipts'> {
  readonly digest: string;
}

async function digestOf(
  receipts: AsyncIterable<ArchivedReceipt>,
  write: (text: string) => Promise<void> = async () => {},
): Promise<Digest> {
  const hash = createHash('sha256');
  let count = 0;
  for await (const receipt of receipts) {
    const text = `${lineOf(receipt)}\n`;
    hash.update(text);
    count += 1;
    await write(text);
  }
  return { receipts: count, digest: hash.digest('hex') };
}

function lineOf({ id, mode, checkedAt, body }: ArchivedReceipt): string {
  return JSON.stringify({ id, mode, checked_at: checkedAt.toISOString(), body });
}

async function* readWeek(file: string): AsyncGenerator<ArchivedReceipt> {
  if (!existsSync(file)) return;
  for await (const text of packedLines(file)) yield receiptOf(text);
}

function receiptOf(text: string): ArchivedReceipt {
  const { id, mode, checked_at: checkedAt, body } = line.parse(JSON.parse(text));
  return { id, mode, checkedAt: new Date(checkedAt), body };
}

async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  return hash.digest('hex');
}
