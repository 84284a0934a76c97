import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { loadCatalog } from './load-catalog.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-catalog-'));
afterAll(() => rmSync(folder, { recursive: true }));

const SERVICE = {
  id: 'weather',
  name: 'Weather',
  provider: 'a seller',
  category: 'weather',
  description: 'The weather.',
  endpoint: 'https://weather.example/now',
  method: 'GET',
  price_usd: '0.01',
  network: 'eip155:8453',
  tasks: ['weather'],
  source: { list: 'a-list', seen_on: '2026-11-15' },
};
const graded = (known: object) => [{ ...SERVICE, known_answer: { input: 'x', pass_if: 'y', ...known } }];

describe('a catalog with a mistake ends the start in one line', () => {
  it.each<[string, string, RegExp]>([
    ['no JSON', '[', /^catalog\/services\.json: is not JSON$/],
    ['no list', '{}', /^catalog\/services\.json: \(catalog\): \(file\) must be a list of services$/],
    [
      'an id twice',
      JSON.stringify([SERVICE, SERVICE]),
      /^catalog\/services\.json: weather: id is used twice$/,
    ],
    [
      'a price that is none',
      JSON.stringify([{ ...SERVICE, price_usd: '1e9' }]),
      /^catalog\/services\.json: weather: price_usd must be a plain decimal/,
    ],
    [
      'a predicate that nobody knows',
      JSON.stringify(graded({ predicates: [{ kind: 'feels_right', path: '$' }] })),
      /^catalog\/services\.json: weather: known_answer\.predicates\.0\.kind /,
    ],
    [
      'a path with a mistake',
      JSON.stringify(graded({ predicates: [{ kind: 'at_least', path: '$..[', items: 1 }] })),
      /^catalog\/services\.json: weather: known_answer\.predicates\.0\.path must be a JSONPath/,
    ],
  ])('%s', (name, text, line) => {
    const file = join(folder, `${name}.json`);
    writeFileSync(file, text);
    expect(() => loadCatalog(pathToFileURL(file))).toThrow(line);
  });

  it('and the one that comes with the program has none', () => {
    expect(loadCatalog().services.length).toBeGreaterThanOrEqual(15);
  });
});
