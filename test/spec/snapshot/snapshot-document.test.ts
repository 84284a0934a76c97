import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { SNAPSHOT_CODES } from '../../../src/core/snapshot/snapshot-codes.ts';

it('the document has the number of every finding, and no other', () => {
  const text = readFileSync(new URL('../../../docs/snapshot.md', import.meta.url), 'utf8');
  const rows = [...text.matchAll(/\| (\d+) \| `(\w+)`/g)].map(([, number, code]) => [code, Number(number)]);
  expect(Object.fromEntries(rows)).toEqual(SNAPSHOT_CODES);
  expect(rows).toHaveLength(Object.keys(SNAPSHOT_CODES).length);
});
