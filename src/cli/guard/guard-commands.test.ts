import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { A_WITNESS, AN_AUTHORIZATION, aPurchase } from '../../../test/support/guarding/buyers/purchases.ts';
import { NOON, run } from '../../../test/support/running/command-line.ts';
import { microUsd } from '../../core/money/micro-usd.ts';
import type { PurchaseFacts } from '../../guard/ledger/ledger.ts';
import type { Purchase, PurchaseState } from '../../guard/ledger/purchase.ts';
import { sqliteLedger } from '../../guard/ledger/sqlite-ledger.ts';
import type { AskName } from '../ask-commands.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-guard-cli-'));
const file = join(folder, 'purchases.db');
const SECRET = 'eyJ4NDAyVmVyc2lvbiI6Mn0=';
const NOON_SECONDS = BigInt(NOON.getTime() / 1_000);

const earlier = (ms: number) => new Date(NOON.getTime() - ms);
const MINUTE = 60_000;

/** Into the ledger as the guard writes it. */
async function keep(purchase: Purchase, to: PurchaseState | null, facts: PurchaseFacts = {}) {
  const ledger = sqliteLedger(file);
  await ledger.reserve(purchase, []);
  if (to !== null) {
    await ledger.move(purchase.id, { from: ['reserved'], to, at: purchase.createdAt, facts });
  }
  await ledger.close();
}

const guard = (words: readonly [AskName, ...string[]], parts: Parameters<typeof run>[1] = {}) =>
  run([...words, '--ledger', file], parts);

describe('the commands of the guard', () => {
  beforeAll(async () => {
    await keep(
      aPurchase({
        id: 'pur_0000aaaa1111',
        createdAt: earlier(365 * 24 * 60 * MINUTE),
        amount: microUsd(700_000n),
      }),
      'delivered',
    );
    await keep(aPurchase({ id: 'pur_0000bbbb2222', createdAt: earlier(3 * MINUTE) }), null);
    await keep(
      aPurchase({
        id: 'pur_0000cccc3333',
        createdAt: earlier(2 * MINUTE),
        url: 'https://seller.example/weather?city=\u202eUlm\u001b[2J',
        task: 'a task',
        name: 'order-17',
        witness: A_WITNESS,
      }),
      'delivered',
      {
        authorization: { ...AN_AUTHORIZATION, validBefore: NOON_SECONDS + 780n },
        attempts: [
          { at: '2026-11-15T11:58:01.000Z', status: null },
          { at: '2026-11-15T11:58:02.000Z', status: 200 },
        ],
        answer: {
          at: '2026-11-15T11:58:02.000Z',
          status: 200,
          contentType: 'application/json\u001b[31m',
          bytes: 17,
          sha256: 'ab'.repeat(32),
          // {"success":true,"transaction":"0x01"}
          paymentResponse: 'eyJzdWNjZXNzIjp0cnVlLCJ0cmFuc2FjdGlvbiI6IjB4MDEifQ==',
        },
      },
    );
    await keep(
      aPurchase({ id: 'pur_0000dddd4444', createdAt: earlier(MINUTE), amount: microUsd(20_000n) }),
      'unknown',
      {
        authorization: { ...AN_AUTHORIZATION, validBefore: NOON_SECONDS + 840n },
        payment: SECRET,
        attempts: [{ at: '2026-11-15T11:59:00.000Z', status: null }],
        chain: { askedAt: '2026-11-15T11:59:30.000Z', used: true, transaction: '0x4444' },
      },
    );
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('list the last purchases, with what was spent in 24 hours', async () => {
    const { code, out, notes } = await guard(['guard ledger'], { terminal: true, colour: 'never' });
    expect([code, notes]).toEqual([0, '']);
    expect(out).toBe(
      [
        'time (UTC)        state      price  url              payee          id',
        '11-15 11:59       unknown    $0.02  seller.…ity=Ulm  0x2222…222222  pur_0000dddd',
        '11-15 11:58       delivered  $0.01  seller.…Ulm?[2J  0x2222…222222  pur_0000cccc',
        '11-15 11:57       expired    $0.01  seller.…ity=Ulm  0x2222…222222  pur_0000bbbb',
        '2025-11-15 12:00  delivered   $0.7  seller.…ity=Ulm  0x2222…222222  pur_0000aaaa',
        'spent in 24 hours: $0.03',
        'open: 1, with $0.02 held for them',
        '',
      ].join('\n'),
    );
  });

  it.each([200, 80, 60])('fit a terminal of %d columns', async (columns) => {
    const { out } = await guard(['guard ledger', '--no-color'], { terminal: true, columns });
    const [heads = '', first = ''] = out.split('\n');
    for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(columns);
    expect(heads).toMatch(/^time \(UTC\) +state +price +url/);
    if (columns === 200) expect(first).toContain('  seller.example/weather?city=Ulm  ');
  });

  it('colour only terminals, and are whole in a pipe', async () => {
    expect((await guard(['guard ledger'], { terminal: true })).out).toContain('\u001b[2m');
    const { out } = await guard(['guard ledger']);
    expect(out).not.toContain('\u001b');
    expect(out).toMatch(/ seller\.example\/weather\?city=Ulm {4} +0x(?:22){20} {2}pur_0000dddd4444\n/);
    expect((await guard(['guard show', 'pur_0000cccc'])).out).not.toContain('\u001b');
  });

  it('list no more than was asked for, and count all of it', async () => {
    const { out } = await guard(['guard ledger', '--limit', '1']);
    expect(out.split('\n').slice(1)).toEqual([
      expect.stringContaining('pur_0000dddd'),
      'spent in 24 hours: $0.03',
      'open: 1, with $0.02 held for them',
      '',
    ]);
    expect(await guard(['guard ledger', '--limit', '0'])).toMatchObject({ code: 2 });
  });

  it('list what is open', async () => {
    const { code, out } = await guard(['guard open'], { terminal: true, colour: 'never' });
    expect(code).toBe(0);
    expect(out.split('\n').slice(1)).toEqual([
      '11-15 11:59  unknown  $0.02  seller.exam…r?city=Ulm  0x2222…222222  pur_0000dddd',
      'spent in 24 hours: $0.03',
      'open: 1, with $0.02 held for them',
      '',
    ]);
  });

  it('are one object with --json', async () => {
    const { out } = await guard(['guard open', '--json']);
    expect(JSON.parse(out)).toEqual({
      ledger: file,
      frozen: false,
      spent_24h_usd: '0.03',
      spent_24h_is_at_least: false,
      held_usd: '0.02',
      purchases: [
        {
          id: 'pur_0000dddd4444',
          state: 'unknown',
          created_at: '2026-11-15T11:59:00.000Z',
          updated_at: '2026-11-15T11:59:00.000Z',
          method: 'GET',
          url: 'https://seller.example/weather?city=Ulm',
          host: 'seller.example',
          task: null,
          purchase: null,
          amount_usd: '0.02',
          network: 'eip155:8453',
          asset: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
          pay_to: '0x2222222222222222222222222222222222222222',
        },
      ],
    });
    expect(JSON.parse((await guard(['guard ledger', '--json'])).out).purchases).toHaveLength(4);
  });

  it('show one purchase in plain words', async () => {
    const { code, out } = await guard(['guard show', 'pur_0000cccc']);
    expect(code).toBe(0);
    expect(out).toBe(
      [
        'DELIVERED',
        'Paid and delivered.',
        '',
        '  id        pur_0000cccc3333',
        '  request   GET https://seller.example/weather?city=?Ulm?[2J',
        '  purchase  order-17',
        '  task      a task',
        '  price     $0.01 in USDC on eip155:8453',
        '  payee     0x2222222222222222222222222222222222222222',
        '  payer     0x1111111111111111111111111111111111111111',
        '  approved  2026-11-15 11:58:00 UTC, 2 min ago',
        '  by        the rules here, and https://assay.example',
        '  receipt   https://assay.example/r/sc-1',
        '  valid     until 2026-11-15 12:13:00 UTC, in 13 min',
        '  sent      2 times: no answer, 200',
        '  answer    200, application/json?[31m, 17 bytes',
        `  SHA-256   ${'ab'.repeat(32)}`,
        '  settled   yes, says the seller: 0x01',
        '  changed   2026-11-15 11:58:00 UTC, 2 min ago',
        '',
      ].join('\n'),
    );
  });

  it('show what can be done about a lost answer, and never the payment', async () => {
    const { out } = await guard(['guard show', 'pur_0000dddd4444']);
    expect(out.split('\n').slice(0, 3)).toEqual([
      'UNKNOWN',
      'The payment was sent. No answer arrived.',
      'The same request sends the same payment again; it cannot be taken twice.',
    ]);
    expect(out).toContain('  chain     taken in 0x4444, asked 2026-11-15T11:59:30.000Z\n');
    for (const words of [
      ['guard show', 'pur_0000dddd', '--json'],
      ['guard evidence', 'pur_0000dddd'],
    ]) {
      const [name, ...argv] = words;
      const json = (await guard([name === 'guard show' ? name : 'guard evidence', ...argv])).out;
      expect(json).not.toContain(SECRET);
      expect(JSON.parse(json)).toMatchObject({ purchase_id: 'pur_0000dddd4444', state: 'unknown' });
    }
  });

  it('print evidence with drafts', async () => {
    const { code, out } = await guard(['guard evidence', 'pur_0000dddd4444']);
    expect(code).toBe(0);
    expect(Object.keys(JSON.parse(out))).toContain('drafts');
    expect(
      Object.keys(JSON.parse((await guard(['guard show', 'pur_0000dddd', '--json'])).out)),
    ).not.toContain('drafts');
  });

  it.each<[string, string, string]>([
    ['an unknown id', 'pur_ffffffff', 'there is no purchase with this id; see assay guard ledger'],
    ['a short beginning', 'pur_', 'there is no purchase with this id; see assay guard ledger'],
    ['a beginning of several', 'pur_0000', 'more than one purchase has an id that begins like this'],
  ])('say what is wrong with %s', async (_, id, line) => {
    expect(await guard(['guard show', id])).toEqual({ code: 1, out: '', notes: `assay: ${line}\n` });
  });

  it('freeze a ledger, and say so', async () => {
    const at = ` (${file})\n`;
    const frozen = 'frozen: no payment of this ledger is made until assay guard unfreeze';
    const free = 'not frozen: payments of this ledger are made within its limits';
    expect((await guard(['guard freeze'])).out).toBe(frozen + at);
    expect((await guard(['guard freeze'])).out).toBe(`already ${frozen}${at}`);
    expect((await guard(['guard open'])).out).toMatch(
      /\nfrozen: no payment is made until assay guard unfreeze\n$/,
    );
    expect(JSON.parse((await guard(['guard unfreeze', '--json'])).out)).toEqual({
      ...{ ledger: file, frozen: false, changed: true },
    });
    expect((await guard(['guard unfreeze'])).out).toBe(`already ${free}${at}`);
  });
});
