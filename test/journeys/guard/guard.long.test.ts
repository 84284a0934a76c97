import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from 'vitest';
import { projectFile } from '../../../tools/project-file.ts';
import { countingWallet, PAYERS } from '../../support/guarding/buyers/stock-payers.ts';
import { useGuardingWorld } from '../../support/guarding/guarding-world.ts';
import type { SellerName } from '../../support/guarding/sellers/seller-scripts.ts';
import { chainOfTheFile } from '../../support/paying/paying-chain.ts';

const chain = await chainOfTheFile();
const ROOT = projectFile('.');
/** The built program; `npm test` builds it first. */
const ASSAY = join(ROOT, 'dist/bundle/node/assay.js');
/** A program that knows nothing of the guard: it buys once with a stock payer, over the global fetch. */
const STOCK_PROGRAM = join(ROOT, 'test/support/guarding/buyers/buying-program.mjs');
const REGISTER = ['--import', 'assay/guard/register'];

const folder = mkdtempSync(join(tmpdir(), 'assay-guard-'));
afterAll(() => rmSync(folder, { recursive: true }));
const LIMITS = { perPayment: '0.10', perDay: '5' };

let files = 0;
/** The path of a new policy, and of the ledger in it. */
function newPolicy(changes: object = {}): { readonly policy: string; readonly ledger: string } {
  files += 1;
  const ledger = join(folder, `purchases-${files}.db`);
  const policy = join(folder, `policy-${files}.json`);
  writeFileSync(policy, JSON.stringify({ ledger, limits: LIMITS, ...changes }));
  return { policy, ledger };
}

interface Run {
  readonly env?: NodeJS.ProcessEnv;
  readonly command?: string;
}

/** Runs to its end. Not synchronously: the seller lives in this process. */
async function run(words: readonly string[], { env = {}, command = process.execPath }: Run = {}) {
  const child = spawn(command, words, {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], HOME: folder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [code]] = await Promise.all([
    ...[text(child.stdout), text(child.stderr)],
    once(child, 'close'),
  ] as const);
  return { code, stdout, stderr };
}

const assay = (words: readonly string[], env: NodeJS.ProcessEnv = {}) => run([ASSAY, ...words], { env });

describe('a stock program that is started with assay/guard/register', () => {
  const world = useGuardingWorld(chain);
  const buy = (url: string, policy: string | null) =>
    run([...(policy === null ? [] : REGISTER), STOCK_PROGRAM, url, world.buyer.key], {
      env: policy === null ? {} : { ASSAY_GUARD: policy },
    });

  it('buys from an honest seller, and the ledger knows it', async () => {
    const { policy, ledger } = newPolicy();
    const { result, payments } = await world.moved(() => buy(world.open('honest').url, policy));
    expect([result, payments]).toEqual([{ code: 0, stdout: '200 {"delivered":true}\n', stderr: '' }, 1]);
    expect(statSync(ledger).mode & 0o777).toBe(0o600);
    const listed = JSON.parse((await assay(['guard', 'ledger', '--json'], { ASSAY_GUARD: policy })).stdout);
    expect(listed).toMatchObject({ ledger, spent_24h_usd: '0.01', purchases: [{ state: 'delivered' }] });
  });

  it.each<[string, SellerName, string]>([
    ['whose payee is a thief', 'otherPayee', 'pay_to_mismatch'],
    ['that asks too much', 'raisedPrice', 'price_mismatch'],
  ])('pays nothing to a seller %s', async (_, seller, code) => {
    const { url } = world.open(seller);
    const { policy } = newPolicy({
      expect: { [url]: { price: '0.01', payTo: chain.accounts.seller.address } },
    });
    const { result, payments } = await world.moved(() => buy(url, policy));
    expect([result.code, result.stdout, payments]).toEqual([1, '', 0]);
    expect(result.stderr).toContain(`GuardRefused: ${code}: `);
  });

  it('pays once when the answer is lost, where it would pay and have nothing', async () => {
    const stock = await world.moved(() => buy(world.open('losesAnswer').url, null));
    expect([stock.result.code, stock.payments]).toEqual([1, 1]);
    const guarded = await world.moved(() => buy(world.open('losesAnswer').url, newPolicy().policy));
    expect([guarded.result.stdout, guarded.payments]).toEqual(['200 {"delivered":true}\n', 1]);
  });

  it('pays once when no answer ever comes, however often it is started', async () => {
    const { url } = world.open('losesEveryAnswer');
    const { policy } = newPolicy();
    const { result, payments } = await world.moved(async () => [
      await buy(url, policy),
      await buy(url, policy),
    ]);
    expect(payments).toBe(1);
    for (const { code, stderr } of result) {
      expect(code).toBe(1);
      expect(stderr).toContain('GuardRefused: outcome_unknown: ');
    }
  });

  it('pays nothing while the ledger is frozen', async () => {
    const { policy } = newPolicy();
    expect((await assay(['guard', 'freeze'], { ASSAY_GUARD: policy })).code).toBe(0);
    const { url } = world.open('honest');
    const { result, payments } = await world.moved(() => buy(url, policy));
    expect([payments, result.stderr]).toEqual([0, expect.stringContaining('GuardRefused: frozen: ')]);
    expect((await assay(['guard', 'unfreeze'], { ASSAY_GUARD: policy })).code).toBe(0);
    expect((await world.moved(() => buy(url, policy))).payments).toBe(1);
  });

  it.each<[string, () => string | null, RegExp]>([
    ['no policy', () => null, /^assay guard: set ASSAY_GUARD to the path of a policy file\n$/],
    [
      'no policy file',
      () => join(folder, 'none.json'),
      /^assay guard: the policy file \S+ cannot be read\n$/,
    ],
    [
      'no limits',
      () => newPolicy({ limits: undefined }).policy,
      /^assay guard: the policy file \S+ is not valid: limits: .+\n$/,
    ],
    [
      'a limit left out',
      () => newPolicy({ limits: { perPayment: '1' } }).policy,
      /^assay guard: the policy file \S+ is not valid: limits\.perDay: .+\n$/,
    ],
    [
      'a misspelt limit',
      () => newPolicy({ limits: { ...LIMITS, perHour: '1' } }).policy,
      /^assay guard: the policy file \S+ is not valid: limits: .*perHour.*\n$/,
    ],
    [
      'a misspelt member',
      () => newPolicy({ host: ['seller.example'] }).policy,
      /^assay guard: the policy file \S+ is not valid: .*host.*\n$/,
    ],
    [
      'a limit that is no amount',
      () => newPolicy({ limits: { ...LIMITS, perDay: 'much' } }).policy,
      /^assay guard: limits\.perDay .+\n$/,
    ],
    [
      'unreadable JSON',
      () => {
        const { policy } = newPolicy();
        writeFileSync(policy, readFileSync(policy, 'utf8').slice(0, -1));
        return policy;
      },
      /^assay guard: the policy file \S+ is not JSON\n$/,
    ],
  ])('does not start with %s', async (_, policy, line) => {
    const stall = world.open('honest');
    const path = policy();
    const result = await run([...REGISTER, STOCK_PROGRAM, stall.url, world.buyer.key], {
      env: path === null ? {} : { ASSAY_GUARD: path },
    });
    expect([result.code, result.stdout]).toEqual([1, '']);
    expect(result.stderr).toMatch(line);
    expect(stall.seen.requests).toEqual([]);
  });
});

describe('the built program', () => {
  const world = useGuardingWorld(chain);

  it('is a gateway until it is stopped, and finishes what is under way', async () => {
    const { policy, ledger } = newPolicy();
    const program = spawn(
      ...([
        process.execPath,
        [ASSAY, 'guard', 'serve', '--policy', policy, '--listen', '127.0.0.1:0'],
      ] as const),
      { env: { PATH: process.env['PATH'] }, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    const ended = once(program, 'close');
    const notes: string[] = [];
    const lines = createInterface(program.stderr).on('line', (line) => notes.push(line));
    await once(lines, 'line');
    const [address = ''] = /http:\/\/127\.0\.0\.1:[0-9]+/.exec(notes[0] ?? '') ?? [];
    const { account } = countingWallet(world.buyer.key);
    const pay = PAYERS.x402Fetch.pays((input, init) => {
      const request = new Request(input, init);
      return fetch(new Request(`${address}/${request.url}`, request));
    }, account);
    const stall = world.open('streamsEvents');
    const { payments } = await world.moved(async () => {
      const answer = await pay(stall.url);
      program.kill('SIGTERM');
      for (let step = 0; step < 3; step += 1) stall.step();
      expect(await answer.text()).toBe('data: one\n\ndata: two\n\ndata: three\n\n');
    });
    expect([payments, await ended]).toEqual([1, [0, null]]);
    expect(notes.slice(1).map((line) => line.replace(/^[0-9:]{8} /, '').split(':')[0])).toEqual([
      ...['approved', 'sent the payment', 'delivered'],
    ]);
    const shown = await assay(['guard', 'ledger', '--ledger', ledger]);
    expect(shown.stdout.split('\n')[1]).toMatch(/ {2}delivered {2}\$0\.01 {2}/);
    expect(shown.stdout).not.toContain('\u001b');
    // As a person sees it: colours, and lines that fit.
    const words = [process.execPath, ASSAY, 'guard', 'ledger', '--ledger', ledger];
    const command = words.map((word) => `'${word}'`).join(' ');
    const terminal = await run(['-qec', `stty cols 72; exec ${command}`, '/dev/null'], {
      command: 'script',
      env: { TERM: 'xterm' },
    });
    const [heads = '', row = ''] = terminal.stdout.split('\r\n');
    expect(heads.startsWith('\u001b[2mtime (UTC) ')).toBe(true);
    expect(row.length).toBeLessThanOrEqual(72);
  });

  it('says what is wrong in one line', async () => {
    expect(await assay(['guard', 'ledger'])).toEqual({
      code: 1,
      stdout: '',
      stderr: `assay: there is no ledger ${join(folder, '.assay/purchases.db')}; --ledger names another one\n`,
    });
    expect(existsSync(join(folder, '.assay'))).toBe(false);
    expect(await assay(['guard', 'shwo'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'assay: unknown command "guard shwo" (did you mean guard show?); see assay help guard\n',
    });
  });
});
