import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sarifFormat } from '../../src/cli/lint/sarif-format.ts';
import { FAULTY, HOSTILE_NAMES, resultOf } from '../support/linting/lint-results.ts';
import { readSarif } from '../support/linting/sarif-rules.ts';

describe('the place of a finding in SARIF', () => {
  const uriOf = (target: string, isFile: boolean) => {
    const { results } = readSarif(sarifFormat(resultOf(FAULTY, { target, isFile })));
    return results[0]?.locations[0]?.physicalLocation.artifactLocation.uri ?? '';
  };

  it.each(HOSTILE_NAMES)('names a file by a relative URI: %j', (target) => {
    expect(uriOf(target, true)).toMatch(/^[^:?#/][^:?#]*$/);
  });

  it.each<[string, string]>([
    ['saved/a b.http', 'saved/a%20b.http'],
    [join(process.cwd(), 'saved', 'x.http'), 'saved/x.http'],
    ['/somewhere/else/x.http', 'x.http'],
    ['../../x.http', 'x.http'],
    ['..x', '..x'],
    ['stdin', 'stdin'],
  ])('names a file as seen from the working directory: %s', (target, uri) => {
    expect(uriOf(target, true)).toBe(uri);
  });

  it.each<[string, string]>([
    ['http://localhost:4021/weather', 'localhost/weather'],
    ['https://seller.example/', 'seller.example/'],
    ['http://[::1]:3000/a:b?c=d', '%5B%3A%3A1%5D/a%3Ab'],
    ['https://seller.example/a%20b/%zz|[x]', 'seller.example/a%20b/%25zz%7C%5Bx%5D'],
  ])('names a URL without its scheme, which code scanning refuses: %s', (target, uri) => {
    expect(uriOf(target, false)).toBe(uri);
  });
});
