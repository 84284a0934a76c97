import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { SNAPSHOT_CODES } from '../../../src/core/snapshot/snapshot-codes.ts';
import { projectFile } from '../../../tools/project-file.ts';

it('the document has the number of every finding, and no other', () => {
  const text = readFileSync(projectFile('docs/snapshot.md'), 'utf8');
  const rows = [...text.matchAll(/\| (\d+) \| `(\w+)`/g)].map(([, number, code]) => [code, Number(number)]);
  expect(Object.fromEntries(rows)).toEqual(SNAPSHOT_CODES);
  expect(rows).toHaveLength(Object.keys(SNAPSHOT_CODES).length);
});
