import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadLists } from './load-lists.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-lists-'));
const file = join(folder, 'lists.json');
afterAll(() => rmSync(folder, { recursive: true }));

describe('the file of discovery lists', () => {
  it.each<[why: string, text: string, line: string]>([
    ['a broken file', '[', 'is not JSON'],
    [
      'a mistake in a list',
      '[{"name":"a-list","format":"json","url":"https://a.example.com/","pages":{"by":"offset"}}]',
      'a-list: pages.size Invalid input: expected number, received undefined',
    ],
  ])('ends the start with one line on %s', (_, text, line) => {
    writeFileSync(file, text);
    expect(() => loadLists(file)).toThrow(new Error(`${file}: ${line}`));
  });

  it('may be empty', () => {
    writeFileSync(file, '[]');
    expect(loadLists(file)).toEqual([]);
  });
});
