import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ENTRY } from '../../tools/samples/challenge.ts';
import { run } from '../support/running/command-line.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-lint-file-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('assay lint of a file', () => {
  const document = JSON.stringify({ x402Version: 2, accepts: [ENTRY] });
  const from = (input: string, ...options: string[]) => run(['lint', ...options, '-'], { input: [input] });

  it.each<[string, string, number, RegExp]>([
    ['the JSON of a 402', document, 0, /"reason": "price_ok"/],
    [
      'a response',
      `HTTP/1.1 402 x\r\nPAYMENT-REQUIRED: ${Buffer.from(document).toString('base64')}\r\n\r\n`,
      0,
      /"cache_unset"/,
    ],
    ['a response that is no 402', 'HTTP/1.1 200 OK\r\n\r\n', 1, /"reason": "no_paywall"/],
    ['terms that cannot be read', '{"x402Version":2,"accepts":[{}]}', 1, /"scheme_missing"/],
  ])('reads %s', async (_, text, code, found) => {
    const told = await from(text, '--format', 'json');
    expect([told.code, told.notes]).toEqual([code, '']);
    expect(told.out).toMatch(found);
  });

  const version1 = {
    ...{ scheme: 'exact', network: 'base', payTo: ENTRY.payTo, asset: ENTRY.asset, extra: ENTRY.extra },
    ...{ maxAmountRequired: '10000', maxTimeoutSeconds: 60, mimeType: 'application/json' },
    ...{ resource: 'https://a.example/x', description: 'weather' },
  };
  const resource = { url: 'https://a.example/x', description: 'weather', mimeType: 'application/json' };
  const version2 = JSON.stringify({ x402Version: 2, resource, accepts: [ENTRY] });
  const header = Buffer.from(version2).toString('base64');

  it.each<[string, string, string[], string[]]>([
    [
      'of version 2 nothing about the body',
      version2,
      ['bazaar_missing'],
      ['@x402/fetch 2.27', '@x402/axios 2.11', '@faremeter/fetch 0.22'],
    ],
    [
      'of version 1 nothing about the header',
      JSON.stringify({ x402Version: 1, accepts: [version1] }),
      [],
      ['x402-fetch 1.2', '@faremeter/fetch 0.22'],
    ],
    [
      'of a response all that payers look for',
      `HTTP/1.1 402 x\r\nCache-Control: no-store\r\nPAYMENT-REQUIRED: ${header}\r\n\r\n`,
      ['no_version_1', 'bazaar_missing', 'payer_x402_fetch_v1'],
      ['@x402/fetch 2.27', '@x402/axios 2.11', 'x402-fetch 1.2', '@faremeter/fetch 0.22'],
    ],
  ])('says %s', async (_, text, checks, payers) => {
    const told = JSON.parse((await from(text, '--format', 'json')).out);
    expect(told.findings.map(({ check }: { check: string }) => check)).toEqual(checks);
    expect(told.payers.map(({ payer }: { payer: string }) => payer)).toEqual(payers);
    const isMade = (check: string) => !told.not_made.includes(check);
    expect(isMade('payer_x402_fetch_v1')).toBe(payers.includes('x402-fetch 1.2'));
    expect(isMade('payer_x402_fetch')).toBe(payers.includes('@x402/fetch 2.27'));
    expect([isMade('no_version_1'), isMade('no_version_2')]).toEqual(
      text.startsWith('{') ? [false, false] : [true, true],
    );
  });

  it('reads a file by its name, and sends nothing', async () => {
    const file = join(folder, 'saved.json');
    writeFileSync(file, document);
    const told = await run(['lint', file]);
    expect([told.code, told.out]).toEqual([0, expect.stringContaining('sent    0 unpaid requests')]);
  });

  it.each<[string, () => Promise<{ code: number; out: string; notes: string }>, RegExp]>([
    [
      'nothing there',
      () => run(['lint', join(folder, 'none')]),
      /none does not exist; a URL begins with http:\/\/ or https:\/\/; see /,
    ],
    [
      'a path that is no host either',
      () => run(['lint', './v1/weather']),
      /weather does not exist; a URL begins with http:\/\/ or https:\/\/; see /,
    ],
    ['a name below a file', () => run(['lint', '/dev/null/x']), /does not exist; a URL begins with/],
    ['a folder', () => run(['lint', folder]), /is a directory/],
    ['a device without end', () => run(['lint', '/dev/zero']), /is not a regular file/],
    [
      'a named pipe that nobody writes to',
      () => {
        const pipe = join(folder, 'pipe');
        execFileSync('mkfifo', [pipe]);
        return run(['lint', pipe]);
      },
      /is not a regular file/,
    ],
    ['a terminal', () => run(['lint', '-']), /standard input is a terminal/],
    ['a huge input', () => from('x'.repeat(300_000)), /is larger than 256 kB/],
    ['neither response nor JSON', () => from('hello'), /stdin is neither/],
    [
      'a name that steers the terminal',
      () => run(['lint', `${folder}/\u001b[31mx\nassay: fine`]),
      /\?\[31mx assay: fine does not exist/,
    ],
    ['a name without end', () => run(['lint', 'x'.repeat(5_000)]), /has too long a name/],
  ])('refuses %s with one line', async (_, told, line) => {
    const { code, out, notes } = await told();
    expect([code, out]).toEqual([2, '']);
    expect(notes).toMatch(line);
    expect(notes.split('\n')).toHaveLength(2);
  });

  it('ends for a schema that is deep, in a loop, or hostile', async () => {
    const bazaar = (schema: unknown) =>
      JSON.stringify({
        x402Version: 2,
        accepts: [ENTRY],
        extensions: { bazaar: { info: { input: { a: 'a'.repeat(5_000) } }, schema } },
      });
    const hostile = { properties: { input: { properties: { a: { pattern: '^(a|a)*$' } } } } };
    for (const [schema, check] of [
      [{ $ref: '#' }, 'bazaar_schema'],
      [{ $ref: 'https://evil.example/s.json' }, 'bazaar_schema'],
      [hostile, 'bazaar_missing'],
    ] as const) {
      const { findings } = JSON.parse((await from(bazaar(schema), '--format', 'json')).out);
      const checks = findings.map((finding: { check: string }) => finding.check);
      expect(checks.includes(check)).toBe(check === 'bazaar_schema');
    }
    const deep = `{"x402Version":2,"accepts":[],"extensions":${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}}`;
    const { code, out } = await from(deep, '--format', 'json');
    expect([code, out]).toEqual([1, expect.stringMatching(/"header_too_long"|"json_too_deep"/)]);
  });
});
