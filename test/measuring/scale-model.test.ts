import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { projectFile } from '../../tools/project-file.ts';

const TEXT = readFileSync(projectFile('docs/scale.md'), 'utf8');
const WEEK_SECONDS = 604_800;
const SIZES = [1e6, 1e7, 1e8];

/** The first number in the second cell of a row. */
function measured(row: string): number {
  const line = TEXT.split('\n').find((one) => one.startsWith(`| ${row} |`));
  return Number(/[\d,.]+/.exec(line?.split('|')[2] ?? '')?.[0].replaceAll(',', ''));
}

function modelled(row: string): readonly string[] {
  const line = TEXT.split('\n').find((one) => one.startsWith(`| ${row} |`));
  return (line?.split('|').slice(2, 5) ?? []).map(
    (cell) => cell.trim().split(' ')[0]?.replaceAll(',', '') ?? '',
  );
}

const checkMs = measured('processor time of a cold check, PostgreSQL');
const insertMicros = measured('processor time of PostgreSQL for a receipt and its entry');
const bytes = measured('bytes of a receipt with its indexes, PostgreSQL');
const wal = measured('write-ahead log of a receipt and its entry');

describe('the capacity model', () => {
  it.each<[string, (receipts: number) => number]>([
    ['checks a second', (receipts) => receipts / WEEK_SECONDS],
    ['cores of the service, for checks', (receipts) => ((receipts / WEEK_SECONDS) * checkMs) / 1e3],
    [
      'cores of PostgreSQL, for receipts alone',
      (receipts) => ((receipts / WEEK_SECONDS) * insertMicros) / 1e6,
    ],
    ['disk for a week of receipts', (receipts) => (receipts * bytes) / 1e9],
    ['disk for 26 weeks', (receipts) => (26 * receipts * bytes) / 1e9],
    ['write-ahead log, a second', (receipts) => ((receipts / WEEK_SECONDS) * wal) / 1e6],
    ['write-ahead log, a week', (receipts) => (receipts * wal) / 1e9],
  ])('%s follows from what was measured', (row, formula) => {
    const cells = modelled(row);
    expect(cells).toHaveLength(SIZES.length);
    for (const [n, receipts] of SIZES.entries()) {
      const digits = cells[n]?.split('.')[1]?.length ?? 0;
      expect(cells[n]).toBe(formula(receipts).toFixed(digits));
    }
  });

  it('has the numbers of the benchmark', () => {
    const results = readFileSync(projectFile('bench/RESULTS.md'), 'utf8');
    for (const number of ['2090 B', '13806 B', 'PostgreSQL 257 µs', '1.78 ms of processor', '169 ms'])
      expect(results).toContain(number);
  });
});
