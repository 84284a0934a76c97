import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { aPurchase } from '../../../test/support/guarding/buyers/purchases.ts';
import { NOON, run } from '../../../test/support/running/command-line.ts';
import { microUsd } from '../../core/money/micro-usd.ts';
import { sqliteLedger } from '../../guard/ledger/sqlite-ledger.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-guard-held-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('what is approved and not signed is held, and not spent', async () => {
  const file = join(folder, 'purchases.db');
  const ledger = sqliteLedger(file);
  await ledger.reserve(aPurchase({ id: 'pur_0000eeee5555', createdAt: NOON, amount: microUsd(20_000n) }), []);
  await ledger.close();
  const { out } = await run(['guard ledger', '--ledger', file]);
  expect(out.split('\n').slice(2)).toEqual([
    'spent in 24 hours: $0',
    'open: 1, with $0.02 held for them',
    '',
  ]);
});
