import { describe, expect, it } from 'vitest';
import { canonical } from '../../../test/support/canonical.ts';
import { type RunStatement, readRunStatement, writeRunStatement } from './run-statement.ts';

const STATEMENT: RunStatement = {
  id: '0123456789abcdef',
  crawledAt: new Date('2026-11-15T12:00:00.000Z'),
  rulesVersion: '4',
  size: 3,
  root: Buffer.alloc(32, 7),
  sources: new Map([
    ['second', { ok: false, items: null }],
    ['10', { ok: true, items: 2, sha256: 'ab'.repeat(32) }],
    ['9', { ok: true, items: 1, sha256: 'cd'.repeat(32) }],
  ]),
  summary: {
    endpointsCovered: 3,
    newThisWeek: 2,
    needsInput: 1,
    verdicts: { skip: 2, pay: 1, recheck: 0 },
    lists: new Map([['9', 1]]),
    listedIn: new Map([
      ['9', 1],
      ['10', 2],
    ]),
  },
};

const TEXT =
  '{"assay":"run/1","crawled_at":"2026-11-15T12:00:00.000Z","id":"0123456789abcdef",' +
  '"root":"BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=","rules":"4","size":3,"sources":{' +
  `"10":{"items":2,"ok":true,"sha256":"${'ab'.repeat(32)}"},` +
  `"9":{"items":1,"ok":true,"sha256":"${'cd'.repeat(32)}"},"second":{"ok":false}},` +
  '"summary":{"endpoints_covered":3,"listed_in":{"10":2,"9":1},"lists":{"9":1},"needs_input":1,' +
  '"new_this_week":2,"verdicts":{"pay":1,"recheck":0,"skip":2}}}';

describe('the statement of a run', () => {
  it('is one canonical line, also with lists that are named like integers', () => {
    expect(writeRunStatement(STATEMENT)).toBe(TEXT);
    expect(canonical(JSON.parse(TEXT))).toBe(TEXT);
  });

  it('is read as it was written', () => {
    const read = readRunStatement(TEXT);
    expect(read).toEqual({ ...STATEMENT, sources: expect.any(Map) });
    expect(read?.sources).toEqual(STATEMENT.sources);
  });

  it.each<[string, string]>([
    ['another form', TEXT.replace('run/1', 'run/2')],
    ['an unknown member', TEXT.replace('"size"', '"seen":1,"size"')],
    ['a repeated member', TEXT.replace('"size":3', '"size":3,"size":3')],
    ['a space', TEXT.replace(',"size"', ', "size"')],
    ['another order', TEXT.replace('"rules":"4","size":3', '"size":3,"rules":"4"')],
    ['a negative size', TEXT.replace('"size":3', '"size":-3')],
    ['a short root', TEXT.replace('BwcHBwcH', 'BwcH')],
    ['another spelling of the root', TEXT.replace('Bwc="', 'Bwd="')],
    ['a hash that is none', TEXT.replace('abab', 'ABAB')],
    ['a list name that is no token', TEXT.replace('"second"', '"s\\u00e9cond"')],
    ['a source without a flag', TEXT.replace('"ok":false', '"ok":null')],
    ['no JSON', TEXT.slice(1)],
    ['nothing', ''],
    ['a list', '[]'],
    ['a line too many', `${TEXT}\n`],
    ['too much', `${' '.repeat(300_000)}${TEXT}`],
  ])('is refused with %s', (_, text) => {
    expect(text).not.toBe(TEXT);
    expect(readRunStatement(text)).toBeNull();
  });

  it('is not written when it could not be read again', () => {
    const named = new Map([['séller', { ok: true, items: 1 }]]);
    expect(() => writeRunStatement({ ...STATEMENT, sources: named })).toThrow('could not be read again');
  });
});
