import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { migrate } from '../migrations/migrate.ts';
import { connectSqlite } from '../sqlite/open.ts';
import { storeOn } from '../store.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-reserve-'));
});
afterEach(() => rm(folder, { recursive: true }));

it('a disk that fills up in the middle of a batch leaves no half of it', async () => {
  const connected = await connectSqlite(join(folder, 'assay.db'));
  await migrate(connected);
  const { counters, close } = storeOn(connected);
  const window = '2026-11-15';
  const known = { key: 'known', window, limit: 1_000 };
  await counters.reserve([known]);
  const [{ pages } = { pages: 0 }] = (
    await sql<{ pages: number }>`select page_count as pages from pragma_page_count`.execute(
      connected.database,
    )
  ).rows;
  connected.control(`pragma max_page_count = ${pages + 30}`);
  const callers = Array.from({ length: 1_000 }, (_, n) => ({
    key: `${n}-${'x'.repeat(200)}`,
    window,
    limit: 1,
  }));
  const answers = await Promise.allSettled(callers.map((caller) => counters.reserve([caller, known])));
  const granted = callers.flatMap(({ key }, n) => (answers[n]?.status === 'fulfilled' ? [key] : []));
  expect(granted.length).toBeGreaterThan(64);
  expect(granted.length).toBeLessThan(900);
  const rows = await connected.database.selectFrom('counters').selectAll().orderBy('key').execute();
  expect(rows.map(({ key, used }) => `${key} ${used}`)).toEqual([
    ...granted.sort().map((key) => `${key} 1`),
    `known ${1 + granted.length}`,
  ]);
  connected.control('pragma max_page_count = 100000');
  const again = await Promise.all(callers.map((caller) => counters.reserve([caller, known])));
  expect(again.filter((answer) => answer.granted)).toHaveLength(999 - granted.length);
  await close();
});
