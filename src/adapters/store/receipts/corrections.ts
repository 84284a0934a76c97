import * as z from 'zod';
import { entryText } from '../../../core/log/entry.ts';
import {
  CORRECTION_FORM,
  type Correction,
  correctionSha256,
  correctionText,
} from '../../../core/statement/correction.ts';
import type { Corrections, StoredCorrection } from '../../../ports/log/corrections.ts';
import type { Dialect } from '../engine/dialect.ts';
import { storedTime } from '../engine/stored-values.ts';
import type { Queries, Tables } from '../engine/tables.ts';
import type { Writes } from '../engine/writes.ts';
import type { EntryStatements } from '../log/log-rows.ts';
import { raiseRevision } from '../seller/raise-revision.ts';

interface Parts {
  readonly dialect: Dialect;
  readonly entries: EntryStatements;
}

export function sqlCorrections(database: Queries, writes: Writes, parts: Parts): Corrections {
  return {
    add: (correction) =>
      writes.unit(async (queries) => {
        // One at a time, so that each gets a number of its own.
        await parts.dialect.waitForTurn(queries, 'corrections');
        return addOne(queries, parts, correction);
      }),
    of: (receiptId) => ofReceipt(database, receiptId),
    async newest(skipped, limit) {
      const rows = await database
        .selectFrom('corrections')
        .selectAll()
        .orderBy('at', 'desc')
        .orderBy('id', 'desc')
        .offset(skipped)
        .limit(limit)
        .execute();
      return rows.map(correctionOf);
    },
  };
}

async function ofReceipt(queries: Queries, receiptId: string): Promise<readonly StoredCorrection[]> {
  const rows = await queries
    .selectFrom('corrections')
    .selectAll()
    .where('receipt_id', '=', receiptId)
    .execute();
  return rows.map(correctionOf).toSorted((left, right) => numberOf(right) - numberOf(left));
}

function numberOf({ id, receiptId }: StoredCorrection): number {
  return Number(id.slice(receiptId.length + 1));
}

async function addOne(
  queries: Queries,
  { entries }: Parts,
  correction: Correction,
): Promise<StoredCorrection> {
  const { receiptId, at } = correction;
  const before = await ofReceipt(queries, receiptId);
  const id = `${receiptId}:${before.length + 1}`;
  const text = correctionText(correction);
  await queries
    .insertInto('corrections')
    .values({ id, receipt_id: receiptId, body: text, at: at.getTime() })
    .execute();
  const entry = entryText({ kind: 'correction', id: receiptId, sha256: correctionSha256(text) });
  await entries.insert(queries, `correction:${id}`, entry);
  // Processes keep rendered pages until this changes.
  await raiseRevision(queries);
  return { ...correction, id, text };
}

const verdictWord = z.enum(['pay', 'skip', 'recheck']);
const storedCorrection = z.strictObject({
  assay: z.literal(CORRECTION_FORM),
  at: storedTime,
  because: z.string(),
  id: z.string(),
  is: verdictWord,
  was: verdictWord,
});

function correctionOf({ id, body }: Tables['corrections']): StoredCorrection {
  const { id: receiptId, at, because, is, was } = storedCorrection.parse(JSON.parse(body));
  return { id, receiptId, at, because, is, was, text: body };
}
