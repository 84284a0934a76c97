import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeFunctionData, type Hex, parseAbi } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storeCalls } from '../../../test/support/asking.ts';
import { operate } from '../../../test/support/running/command-line.ts';
import { createBaseClient, USDC } from '../../adapters/facilitator/base-chain.ts';
import { createSerialSender } from '../../adapters/facilitator/serial-sender.ts';
import { openSqlite } from '../../adapters/store/sqlite/open.ts';
import type { AttributedLookup } from '../../ports/attribution.ts';
import { type LocalChain, startLocalChain } from '../../sandbox/chain/local-chain.ts';
import { loadCatalog } from '../build/load-catalog.ts';
import { report } from './report.ts';

const NOON = new Date('2026-11-15T12:00:00.000Z');
const SHOP = '0x00000000000000000000000000000000000051ab';
const TOKEN = parseAbi(['function transfer(address, uint256) returns (bool)']);

/** Runs the command: what it printed, what it noted, and its exit code. */
async function run(argv: readonly string[], environment: NodeJS.ProcessEnv) {
  const { code, printed, notes } = await operate(['report', ...argv], (given, output) =>
    report(given, output, { environment, now: () => NOON }),
  );
  return { code, printed: printed.join('\n'), notes };
}

describe('assay report', () => {
  let folder: string;
  let chain: LocalChain;
  let payer: Hex;
  let soldBy: string;
  const settings = (changes: NodeJS.ProcessEnv = {}) => ({
    DATA_DIR: folder,
    RPC_URL: chain.rpcUrl,
    ...changes,
  });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-report-'));
    chain = await startLocalChain();
    const [buyer] = chain.accounts.buyers;
    if (buyer === undefined) throw new Error('the chain has no buyer');
    payer = buyer.address;
    // Any service of the catalog that is on Base; its payee is the one that was seen.
    soldBy = loadCatalog().services.find(({ network }) => network.name === 'base')?.id ?? '';
    const store = await openSqlite({ file: join(folder, 'assay.db') });
    await storeCalls(store, soldBy, [{ payTo: SHOP }]);
    const note = (name: string, at: string, said: Partial<AttributedLookup> = {}) => {
      const nobody = { client: null, ref: null, payer: null };
      store.attribution.note({ subject: { kind: 'task', name }, ...nobody, ...said }, new Date(at));
    };
    // Long before the payment, which the chain stamps with the time of today.
    note('weather', '2025-12-01T10:00:00.000Z', { payer: payer.toLowerCase(), ref: 'winter' });
    note('weather', '2026-11-14T10:00:00.000Z', { ref: 'spring', client: 'an-agent' });
    note('weather', '2026-11-15T10:00:00.000Z', { ref: 'spring' });
    note('web-search', '2026-11-15T11:00:00.000Z');
    store.attribution.note(
      { subject: { kind: 'endpoint', name: null }, client: null, ref: null, payer: null },
      NOON,
    );
    await store.attribution.flush();
    await store.close();
    const sender = createSerialSender(
      createBaseClient({ rpcUrl: chain.rpcUrl }),
      privateKeyToAccount(buyer.key),
    );
    for (const value of [10_000n, 2_500n]) {
      const data = encodeFunctionData({ abi: TOKEN, functionName: 'transfer', args: [SHOP, value] });
      await sender.send({ to: USDC, data });
    }
  });
  afterAll(async () => {
    await chain.stop();
    await rm(folder, { recursive: true });
  });

  it('says which refs, clients and tasks lead to lookups, of the last thirty days', async () => {
    const { code, printed, notes } = await run([], settings());
    expect([code, notes]).toEqual([0, []]);
    expect(printed).toBe(
      [
        '4 lookups since 2026-10-16',
        '',
        'ref     lookups',
        '(none)        2',
        'spring        2',
        '',
        'client    lookups',
        '(none)          3',
        'an-agent        1',
        '',
        'task or endpoint                          lookups',
        'weather                                         2',
        '(an endpoint that is not in the catalog)        1',
        'web-search                                      1',
        '',
        'No caller named a wallet, so the chain was not queried.',
      ].join('\n'),
    );
  });

  it('says what the wallets that callers named have paid since', async () => {
    const { code, printed } = await run(['--since', '400'], settings());
    expect(code).toBe(0);
    const lines = printed.split('\n');
    const wallet = payer.toLowerCase();
    expect(lines.find((line) => line.startsWith('wallet'))).toMatch(
      /^wallet +lookups +paid to +for +payments +USD$/,
    );
    expect(lines.find((line) => line.startsWith(wallet))?.split(/ {2,}/)).toEqual([
      wallet,
      '1',
      SHOP,
      soldBy,
      '2',
      '0.0125',
    ]);
    expect(lines.at(-1)).toMatch(
      /^Payments in USDC on Base to sellers of the catalog, .* from 2025-12-01 on\.$/,
    );
  });

  it('is one object with --json', async () => {
    const { code, printed } = await run(['--json', '--since=400'], settings());
    expect(code).toBe(0);
    expect(JSON.parse(printed)).toEqual({
      since: '2025-10-11',
      lookups: 5,
      by_ref: [
        { ref: null, lookups: 2 },
        { ref: 'spring', lookups: 2 },
        { ref: 'winter', lookups: 1 },
      ],
      by_client: [
        { client: null, lookups: 4 },
        { client: 'an-agent', lookups: 1 },
      ],
      by_task: [
        { task: 'weather', lookups: 3 },
        { task: 'web-search', lookups: 1 },
      ],
      by_endpoint: [{ endpoint: null, lookups: 1 }],
      not_told_apart: 0,
      payers: [
        {
          payer: payer.toLowerCase(),
          lookups: 1,
          first_lookup_at: '2025-12-01T10:00:00.000Z',
          paid: [{ pay_to: SHOP, services: [soldBy], payments: 2, usd: '0.0125' }],
        },
      ],
      more_payers: false,
      chain: { read_since: '2025-12-01T10:00:00.000Z', problem: null },
    });
  });

  it('shows the rest when the node cannot be asked', async () => {
    const unreachable = settings({ RPC_URL: 'http://127.0.0.1:1' });
    const { code, printed } = await run(['--since', '400'], unreachable);
    expect(code).toBe(0);
    expect(printed).toMatch(/^5 lookups since 2025-10-11\n/);
    expect(printed.split('\n').at(-1)).toBe(
      'Their payments are unknown: the node at RPC_URL did not answer.',
    );
    const { payers, chain: read } = JSON.parse(
      (await run(['--since', '400', '--json'], unreachable)).printed,
    );
    expect([payers[0].paid, read]).toEqual([null, { read_since: null, problem: 'no_answer' }]);
  });

  it('counts nothing in an empty store', async () => {
    const empty = await mkdtemp(join(tmpdir(), 'assay-empty-'));
    await (await openSqlite({ file: join(empty, 'assay.db') })).close();
    const { code, printed } = await run([], settings({ DATA_DIR: empty }));
    expect([code, printed.split('\n')[0]]).toEqual([0, '0 lookups since 2026-10-16']);
    await rm(empty, { recursive: true });
  });

  it.each<[string, readonly string[], string]>([
    ['an unknown option', ['--sinse', '3'], "unknown option '--sinse' (Did you mean --since?)"],
    ['a word too many', ['refs'], 'too many arguments. Expected 0 arguments but got 1'],
    ['days left out', ['--since'], "option '--since <days>' argument missing"],
    ...['0', '401', '-3', '1.5', '1e1', '', 'week', '٣'].map((days): [string, string[], string] => [
      `--since=${days}`,
      [`--since=${days}`],
      '--since must be a whole number of days from 1 to 400',
    ]),
  ])('is one line and exit code 2 for %s', async (_, argv, line) => {
    const { code, printed, notes } = await run(argv, settings());
    expect([code, printed, notes]).toEqual([2, '', [`assay report: ${line}; see assay report --help`]]);
  });

  it.each<[string, NodeJS.ProcessEnv, RegExp]>([
    ['an invalid setting', { RPC_URL: 'nowhere' }, /^invalid setting: RPC_URL must be an http or https URL/],
    ['a folder without a store', { DATA_DIR: '/dev/null/x' }, /^there is no store in \/dev\/null\/x$/],
  ])('is one line and exit code 1 for %s', async (_, changes, line) => {
    const { code, printed, notes } = await run([], settings(changes));
    expect([code, printed]).toEqual([1, '']);
    expect(notes).toEqual([expect.stringMatching(line)]);
    expect(notes[0]).not.toContain('\n');
  });

  it('explains itself', async () => {
    const { code, printed } = await run(['--help'], settings());
    expect([code, printed.split('\n')[0]]).toEqual([0, 'Usage: assay report [options]']);
  });
});
