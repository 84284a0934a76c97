import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { LintOutbound } from '../../src/cli/lint/look-around.ts';
import { createLintOutbound } from '../../src/main/commands/lint-outbound.ts';
import { PAYEE, THIEF } from '../../tools/samples/challenge.ts';
import { GOOD_402, look } from '../support/linting/good-endpoint.ts';
import { type LintSeller, startLintSeller } from '../support/linting/lint-seller.ts';
import { readXml } from '../support/linting/read-xml.ts';
import { readSarif } from '../support/linting/sarif-rules.ts';
import { run } from '../support/running/command-line.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-lint-'));
const running: LintSeller[] = [];
const seller = () => {
  const [one] = running;
  if (one === undefined) throw new Error('no seller yet');
  return one;
};

beforeAll(async () => void running.push(await startLintSeller()));
beforeEach(() => void seller().requests.splice(0));
afterAll(async () => {
  await seller().stop();
  rmSync(folder, { recursive: true });
});

const ALL = ['--price', '0.01', '--payee', PAYEE, '--network', 'base'];

/** The command at a seller on this machine, through the real gate and prober. */
const at = (path: string, ...options: string[]) =>
  run(['lint', '--allow-local', ...options, `${seller().url}${path}`], {
    lintOutbound: createLintOutbound('local'),
  });

async function reportOf(path: string, ...options: string[]) {
  const { code, out, notes } = await at(path, '--format', 'json', ...options);
  const { verdict, reason, findings, requests } = JSON.parse(out);
  const checks = findings.map(({ level, check }: { level: string; check: string }) => `${level} ${check}`);
  return { code, notes, verdict, reason, requests, checks };
}

/** What a 402 with terms and nothing else leaves to be said. */
const OF_BARE_TERMS = [
  ...['warning cors_origin', 'warning cors_expose', 'warning preflight_paywall', 'warning openapi_route'],
  ...['warning manifest_route', 'note no_version_1', 'note bazaar_missing', 'note payer_x402_fetch_v1'],
  'note cache_unset',
];

describe('assay lint of a URL', () => {
  it('takes this machine without a scheme for http, and says so', async () => {
    const place = `${seller().url}/good`.replace('http://', '');
    const told = await run(['lint', '--allow-local', ...ALL, place], {
      lintOutbound: createLintOutbound('local'),
    });
    expect([told.code, told.notes]).toEqual([0, `assay: no scheme given; using http://${place}\n`]);
  });

  it('finds nothing at an endpoint that is as it should be, with six requests in order', async () => {
    expect(await reportOf('/good', ...ALL)).toEqual({
      code: 0,
      notes: '',
      verdict: 'pay',
      reason: 'price_ok',
      requests: 6,
      checks: [],
    });
    expect(seller().requests).toEqual([
      'GET /good',
      'GET /good',
      'OPTIONS /good',
      'HEAD /good',
      'GET /openapi.json',
      'GET /.well-known/x402',
    ]);
  });

  it.each<[string, string, readonly string[], number, string, readonly string[]]>([
    ['another price', '/good', ['--price', '0.02'], 1, 'price_mismatch', ['error verdict']],
    ['another payee', '/good', ['--payee', THIEF], 1, 'pay_to_mismatch', ['error verdict']],
    ['another network', '/good', ['--network', 'eip155:137'], 1, 'network_mismatch', ['error verdict']],
    ['no paywall', '/free', [], 1, 'no_paywall', ['error verdict']],
    ['no answer', '/reset', [], 5, 'unreachable', ['error verdict']],
    [
      'a broken payee',
      '/broken',
      [],
      1,
      'bad_challenge',
      [
        ...['error payee_not_address', 'warning payer_x402_fetch', 'warning payer_x402_axios'],
        ...['warning payer_x402_fetch_v1', 'warning payer_faremeter', 'warning manifest_route'],
      ],
    ],
    ['a 402 with terms and nothing else', '/bare', [], 0, 'price_ok', OF_BARE_TERMS],
    ['the same, when warnings count', '/bare', ['--fail-on', 'warning'], 1, 'price_ok', OF_BARE_TERMS],
    ['errors, when nothing counts', '/free', ['--fail-on', 'never'], 0, 'no_paywall', ['error verdict']],
  ])('finds %s', async (_, path, options, code, reason, checks) => {
    expect(await reportOf(path, ...options)).toMatchObject({ code, reason, checks });
  });

  it('follows a redirect on the same host, as the prober does, and says so', async () => {
    const { checks, verdict } = await reportOf('/moved');
    expect([verdict, checks]).toEqual([
      'pay',
      expect.arrayContaining(['warning redirect', 'warning resource_differs']),
    ]);
  });

  it('sends the input after the bare request, and judges the answer to it', async () => {
    const { checks, verdict, requests } = await reportOf(
      '/post',
      '--method',
      'POST',
      '--input',
      '{"city":"Bern"}',
    );
    expect([verdict, requests]).toEqual(['pay', 6]);
    expect(checks).toEqual(['warning needs_input', 'warning bazaar_method', 'warning manifest_route']);
    expect(seller().requests).toEqual([
      'POST /post',
      'POST /post',
      'POST /post',
      'OPTIONS /post',
      'GET /openapi.json',
      'GET /.well-known/x402',
    ]);
  });

  it('without the input, only asks once', async () => {
    const { checks, code } = await reportOf('/post', '--method', 'POST');
    expect([code, checks]).toEqual([1, ['error verdict', 'warning needs_input']]);
    expect(seller().requests).toEqual(['POST /post']);
  });

  it('writes no likely key of a URL into a report', async () => {
    const { out } = await at('/good?api_key=sk_live_0123456789abcdef', '--format', 'json');
    expect(out).not.toContain('sk_live');
  });

  it('prints SARIF and JUnit, and writes them to a file', async () => {
    expect(readSarif((await at('/bare', '--format', 'sarif')).out).results).toHaveLength(9);
    expect(readXml((await at('/bare', '--format', 'junit')).out).name).toBe('testsuites');
    const file = join(folder, 'lint.sarif');
    const { code, out, notes } = await at('/bare', '--format', 'sarif', '--output', file);
    expect([code, out, notes]).toEqual([0, '', 'assay: 0 errors, 5 warnings, 4 notes\n']);
    expect(readSarif(readFileSync(file, 'utf8')).properties).toMatchObject({ verdict: 'pay', warnings: 5 });
  });

  it('refuses a file that it cannot write', async () => {
    const { code, notes } = await at('/good', '--output', join(folder, 'no', 'such', 'folder'));
    expect([code, notes]).toEqual([2, expect.stringMatching(/^assay lint: \S+ cannot be written; see /)]);
  });

  it.each([
    'http://127.0.0.1:1/',
    'http://localhost/x',
    'http://10.0.0.1/',
    'http://[::1]/',
    'http://seller/',
  ])('requests nothing on this machine and its networks by itself: %s', async (url) => {
    const told = await run(['lint', url], { lintOutbound: createLintOutbound('public') });
    expect([told.code, told.out]).toEqual([2, '']);
    expect(told.notes).toMatch(/^assay lint: the URL leads to this machine .*--allow-local requests; see /);
  });

  it('warns of plain http at a public name, with --allow-local, too', async () => {
    const lintOutbound: LintOutbound = {
      prober: { probe: async () => GOOD_402 },
      inspect: async () => look(404),
    };
    const checksAt = async (url: string) => {
      const { out } = await run(['lint', '--allow-local', '--format', 'json', url], { lintOutbound });
      return JSON.parse(out).findings.map(({ check }: { check: string }) => check);
    };
    expect(await checksAt('http://seller.example.com/v1/weather')).toContain('plain_http');
    expect(await checksAt('http://seller.example.com/v1/weather')).toContain('resource_differs');
    expect(await checksAt('http://localhost:4021/v1/weather')).not.toContain('plain_http');
    expect(await checksAt('http://localhost:4021/v1/weather')).not.toContain('resource_differs');
  });

  it('never requests a metadata server', async () => {
    const told = await run(['lint', '--allow-local', 'http://169.254.169.254/'], {
      lintOutbound: createLintOutbound('local'),
    });
    expect([told.code, told.notes]).toEqual([2, expect.stringMatching(/that is never requested; see /)]);
  });
});

describe('what is typed wrongly', () => {
  it.each<[string, readonly string[], RegExp]>([
    ['nothing', [], /missing required argument/],
    ['an empty target', [''], /a URL or a file is needed/],
    ['two targets', ['a', 'b'], /too many arguments/],
    ['another method', ['--method', 'PUT', 'https://a.example/'], /--method must be GET or POST/],
    ['a price in words', ['--price', 'cheap', 'https://a.example/'], /--price must be a plain decimal/],
    ['a payee in words', ['--payee', 'me', 'https://a.example/'], /--payee must be a wallet address/],
    ['a network in words', ['--network', 'x', 'https://a.example/'], /--network must be a network/],
    [
      'a payee of another network',
      ['--payee', PAYEE, '--network', 'solana', 'https://a.example/'],
      /on the given network/,
    ],
    [
      'input that is no JSON',
      ['--method', 'POST', '--input', '{', 'https://a.example/'],
      /--input must be JSON/,
    ],
    [
      'input that is too long',
      ['--method', 'POST', '--input', `"${'x'.repeat(20_000)}"`, 'https://a.example/'],
      /at most 16384 bytes/,
    ],
    ['input without POST', ['--input', '{}', 'https://a.example/'], /needs --method POST/],
    ['a file with --allow-local', ['--allow-local', './x.json'], /need a URL, not a file/],
    ['another format', ['--format', 'xml', 'https://a.example/'], /--format must be/],
    ['another level', ['--fail-on', 'note', 'https://a.example/'], /--fail-on must be/],
    ['a URL with a password', ['https://u:p4ssw0rd@a.example/'], /must not contain a user name/],
    ['another scheme', ['ftp://a.example/'], /must be an http or https URL/],
  ])('%s', async (_, argv, line) => {
    const { code, out, notes } = await run(['lint', ...argv]);
    expect([code, out]).toEqual([2, '']);
    expect(notes).toMatch(line);
    expect(notes).not.toContain('p4ssw0rd');
  });
});
