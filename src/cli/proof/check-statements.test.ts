import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { receiptId } from '../../../tools/samples/store-receipts.ts';
import { entryText } from '../../core/log/entry.ts';
import { noFindings } from './check-findings.ts';
import { checkStatements } from './check-statements.ts';
import { LogAway } from './log-files.ts';
import { receiptPlaces } from './places/receipt-places.ts';

const BUNDLE = 256;

/** A statement of this length; its rules are not installed, so that nothing has to be judged. */
function statement(n: number, length: number): string {
  const facts = { id: receiptId(n), reason: 'price_ok', rules: '999999', verdict: 'pay' };
  const bare = JSON.stringify({ ...facts, salt: '' });
  return JSON.stringify({ ...facts, salt: 'x'.repeat(length - bare.length) });
}

/** Checks one bundle of the entries of these statements, of which the log shows this file. */
async function checked(lines: readonly string[], file: Uint8Array, from = 0) {
  const findings = noFindings();
  const limits: number[] = [];
  const check = checkStatements({
    files: {
      get: async (_, most) => {
        limits.push(most);
        return file.subarray(0, most + 1);
      },
    },
    rules: { judge: async () => null, sha256: () => null },
    findings,
    receipts: receiptPlaces('live'),
    ...{ prefix: '', origin: 'a/log', from },
  });
  for (const [n, line] of lines.entries()) {
    const sha256 = hash('sha256', line, 'buffer');
    await check.take(Buffer.from(entryText({ kind: 'receipt', id: receiptId(n), sha256 })), n);
  }
  await check.finish();
  return { findings, limits };
}

describe('a bundle of statements', () => {
  it('is read when all of them are long: each is below the limit for one', async () => {
    const lines = Array.from({ length: BUNDLE }, (_, n) => statement(n, 262_145));
    const file = Buffer.from(`${lines.join('\n')}\n`);
    // The last few are enough: judging all of them takes seconds.
    const { findings, limits } = await checked(lines, file, BUNDLE - 4);
    expect(findings.faults).toEqual([]);
    expect(findings.counts).toMatchObject({ receipts: BUNDLE, not_judged: 4 });
    // 256 statements of 524,288 bytes and the ends of their lines.
    expect(limits).toEqual([134_217_984]);
  });

  it('that is longer than its statements can be proves nothing', async () => {
    const lines = Array.from({ length: BUNDLE }, (_, n) => statement(n, 200));
    await expect(checked(lines, new Uint8Array(134_217_985))).rejects.toThrow(LogAway);
  });

  it('that has a line far too long is kept as evidence no longer than a statement can be', async () => {
    const line = 'x'.repeat(3_000_000);
    const { findings } = await checked([statement(0, 200), statement(1, 200)], Buffer.from(`${line}\nno\n`));
    expect(findings.faults.map(({ kind }) => kind)).toEqual(['statement_differs', 'statement_differs']);
    // Bytes of their own: both lines are parts of one text.
    expect(findings.evidence.map((kept) => [typeof kept, kept.length])).toEqual([
      ['object', 1_048_576],
      ['object', 2],
    ]);
  });

  it('that has a line too few has withheld it', async () => {
    const lines = [statement(0, 200), statement(1, 200)];
    const { findings } = await checked(lines, Buffer.from(`${lines[0]}\n`));
    expect(findings.faults).toEqual([{ kind: 'statement_withheld', where: `a/log 1 ${receiptId(1)}` }]);
  });
});
