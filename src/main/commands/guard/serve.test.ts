import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { operate } from '../../../../test/support/running/command-line.ts';
import type { Output } from '../output.ts';
import { runGuardServe } from './serve.ts';
import { startGuardGdp, startGuardMcp } from './start-guard.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-guard-serve-'));
afterAll(() => rmSync(folder, { recursive: true }));

function policyFile(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}
const LIMITS = { perPayment: '0.10', perDay: '5' };
const GOOD = policyFile('good.json', { ledger: join(folder, 'purchases.db'), limits: LIMITS });
const serve = (argv: readonly string[], stop = AbortSignal.abort()) =>
  operate(['guard serve', ...argv], (given, output) => runGuardServe(given, output, stop));

describe('assay guard serve', () => {
  it('says where it listens, one line for each decision, and ends when it is stopped', async () => {
    const seller = createServer((_, answer) => void answer.writeHead(402).end('{}')).listen(0, '127.0.0.1');
    await once(seller, 'listening');
    // A server on a port has an address with a port.
    const url = `http://127.0.0.1:${(seller.address() as AddressInfo).port}/weather`;
    const stop = new AbortController();
    const asked: Promise<Response>[] = [];
    const noting = (output: Output): Output => ({
      ...output,
      note(line) {
        output.note(line);
        const [address] = /http:\/\/127\.0\.0\.1:[0-9]+/.exec(line) ?? [];
        if (asked.length === 0 && address !== undefined) {
          asked.push(fetch(`${address}/${url}`).finally(() => stop.abort()));
        }
      },
    });
    const { code, printed, notes } = await operate(
      ['guard serve', '--policy', GOOD, '--listen', '127.0.0.1:0'],
      (given, output) => runGuardServe(given, noting(output), stop.signal),
    );
    seller.close().closeAllConnections();
    expect([code, printed, (await asked[0])?.status]).toEqual([0, [], 403]);
    expect(notes).toEqual([
      expect.stringMatching(
        /^assay guard: listening on (http:\/\/127\.0\.0\.1:[0-9]+); request \1\/https:\/\/seller\.example\/path$/,
      ),
      expect.stringMatching(/^[0-9:]{8} refused no_paywall: GET http:\/\/127\.0\.0\.1:[0-9]+\/weather$/),
    ]);
  });

  it.each(['127.0.0.1:0', 'localhost:0', '127.9.8.7:0'])('listens on %s', async (listen) => {
    const { code, notes } = await serve(['--policy', GOOD, '--listen', listen]);
    expect([code, notes.length]).toEqual([0, 1]);
  });

  it.each([
    ...['0.0.0.0:4403', '192.168.1.1:4403', '[::]:4403', 'example.com:4403', '127.0.0.1', ':4403', '4403'],
    ...['127.0.0.1:99999', '127.0.0.256:4403', '127.1:4403', '128.0.0.1:4403', ''],
  ])('does not listen on "%s"', async (listen) => {
    const { code, notes } = await serve(['--policy', GOOD, '--listen', listen]);
    expect([code, notes]).toEqual([
      2,
      [
        'assay guard serve: --listen must be a loopback address with a port, such as 127.0.0.1:4403; see assay guard serve --help',
      ],
    ]);
  });

  it.each<[string, readonly string[], RegExp]>([
    ['no policy', [], /^assay guard serve: --policy is required; see assay guard serve --help$/],
    ['a missing policy', ['--policy', join(folder, 'none')], /^the policy file .*none cannot be read$/],
    [
      'a policy that is not JSON',
      ['--policy', policyFile('a.json', '{')],
      /^the policy file .* is not JSON$/,
    ],
    [
      'a policy without limits',
      ['--policy', policyFile('b.json', { ledger: 'x.db' })],
      /^the policy file .*b\.json is not valid: limits: /,
    ],
    [
      'a limit that is no amount',
      ['--policy', policyFile('c.json', { ledger: 'x.db', limits: { ...LIMITS, perDay: 'five' } })],
      /^guard: limits\.perDay is required: US dollars like '0\.10', in text$/,
    ],
    [
      'a ledger that cannot be opened',
      ['--policy', policyFile('d.json', { ledger: '/dev/null/x.db', limits: LIMITS })],
      /^the ledger \/dev\/null\/x\.db: the file cannot be opened$/,
    ],
  ])('is one line for %s, and exit code 2 for invalid arguments', async (_, argv, line) => {
    const { code, printed, notes } = await serve(argv);
    expect([code, printed]).toEqual([notes[0]?.endsWith('--help') ? 2 : 1, []]);
    expect(notes).toEqual([expect.stringMatching(line)]);
  });
});

describe('assay guard mcp', () => {
  it.each<[string, readonly string[], string]>([
    ['no policy', ['--', 'server'], '--policy is required'],
    ['no server', ['--policy', GOOD], 'a server is required: its command after --, or --url'],
    [
      'two servers',
      ['--policy', GOOD, '--url', 'http://127.0.0.1/', '--', 'server'],
      'give either a command or --url, not both',
    ],
    ['another scheme', ['--policy', GOOD, '--url', 'ftp://x'], '--url must be an http or https URL'],
  ])('is one line and exit code 2 for %s', async (_, argv, line) => {
    expect(await operate(['guard mcp', ...argv], startGuardMcp)).toEqual({
      ...{ code: 2, printed: [], notes: [`assay guard mcp: ${line}; see assay guard mcp --help`] },
    });
  });
});

it('assay guard mcp names a command that cannot be started', async () => {
  const { code, notes } = await operate(
    ['guard mcp', '--policy', GOOD, '--', 'no-such-command'],
    startGuardMcp,
  );
  expect([code, notes]).toEqual([
    1,
    ['the server no-such-command cannot be started: ENOENT, there is no such command'],
  ]);
});

describe('assay guard gdp', () => {
  it('takes no words', async () => {
    expect((await operate(['guard gdp', 'now'], startGuardGdp)).notes).toEqual([
      expect.stringMatching(/^assay guard gdp: too many arguments/),
    ]);
  });
});
