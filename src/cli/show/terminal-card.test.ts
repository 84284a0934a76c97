import { describe, expect, it } from 'vitest';
import { NOON } from '../../../test/support/running/command-line.ts';
import { type Findings, readCheck, readReceipt, withReceipt } from '../ask/findings.ts';
import { createPaint } from './paint.ts';
import { cellsOf } from './plain-text.ts';
import { terminalCard, verdictLine } from './terminal-card.ts';

const PAYEE = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C';
const THIEF = '0x857b06519E91e3A54538791bDbb0E22373e36b66';
const OFFER = {
  scheme: 'exact',
  network: 'eip155:8453',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  amount_atomic: '10000',
  amount_usd: 0.01,
  pay_to: PAYEE,
};
const RECEIPT = {
  id: 'sc-00010203fcfdfeff',
  url: 'https://api.example.com/data',
  method: 'GET',
  mode: 'live',
  expected: {
    claimed_price_usd: 0.01,
    pay_to: PAYEE.toLowerCase(),
    network: 'eip155:8453',
    source: 'listing',
  },
  live_402: { accepts: [OFFER] },
  approved_payment: {
    network: 'eip155:8453',
    amount: { atomic: '10000', usd: 0.01 },
    pay_to: PAYEE,
    deadline: '2026-11-15T12:00:58.000Z',
  },
  verdict: 'pay',
  reason: 'price_ok',
  reason_text: 'The live 402 asks $0.01 in USDC on eip155:8453, as expected.',
  payment_terms_sha256: '0c271d2bc5ce4dfeb20be3246b101fc3708540990b092c74a9a2856ddf13f4e0',
  probe: { probed_at: '2026-11-15T11:58:00.000Z', cached: true },
  permalink: 'http://assay.test/v1/receipts/sc-00010203fcfdfeff',
};

function findings(changes: object = {}): Findings {
  const read = readReceipt({ ...RECEIPT, ...changes });
  if (read === null) throw new Error('the receipt cannot be read');
  return read;
}

function card(found: Findings, { columns = 80, colour = false } = {}): string[] {
  return terminalCard(found, { paint: createPaint(colour), columns, now: NOON });
}

describe('a card', () => {
  it('of pay says what was compared and what may be signed', () => {
    expect(card({ ...findings(), left: { remaining: 0, perDay: 1 } })).toEqual([
      '✓ PAY  price_ok',
      'The live 402 asks $0.01 in USDC on eip155:8453, as expected.',
      '',
      '  endpoint  GET https://api.example.com/data',
      '  quoted    $0.01 a call',
      '',
      '            listed         live',
      '  price     $0.01          $0.01          same',
      '  network   eip155:8453    eip155:8453    same',
      '  payee     0x2096…12287c  0x2096…12287C  same',
      '',
      '  sign      $0.01 = 10000 atomic USDC on eip155:8453',
      '            to 0x2096…12287C',
      '            before 2026-11-15 12:00:58 UTC, in 58 s',
      '            terms 0c271d2bc5ce…56ddf13f4e0',
      '  receipt   http://assay.test/v1/receipts/sc-00010203fcfdfeff',
      '  probed    2 min ago, cached',
      '  left      0 of 1 free today',
    ]);
  });

  it('of skip marks what differs, in words and in colour, and has nothing to sign', () => {
    const stolen = findings({
      verdict: 'skip',
      reason: 'pay_to_mismatch',
      reason_text: 'The payee of the live 402 is not the expected payee.',
      live_402: { accepts: [{ ...OFFER, pay_to: THIEF }] },
    });
    const lines = card(stolen);
    expect(lines[0]).toBe('✗ SKIP  pay_to_mismatch');
    expect(lines).toContain('! payee     0x2096…12287c  0x857b…e36b66  differs');
    expect(lines.join('\n')).not.toContain('sign');
    const coloured = card(stolen, { colour: true });
    expect(coloured[0]).toBe('\u001b[1;31m✗ SKIP\u001b[0m  \u001b[2mpay_to_mismatch\u001b[0m');
    expect(coloured).toContain('\u001b[1;31m! payee     0x2096…12287c  0x857b…e36b66  differs\u001b[0m');
  });

  it('of recheck has nothing to compare', () => {
    const silent = { verdict: 'recheck', reason: 'timeout', reason_text: 'No answer.', live_402: null };
    const lines = card(findings({ ...silent, approved_payment: null }));
    expect(lines.slice(0, 4)).toEqual([
      '↻ RECHECK  timeout',
      'No answer.',
      '',
      '  endpoint  GET https://api.example.com/data',
    ]);
    expect(lines.join('\n')).not.toMatch(/quoted|payee|sign/);
  });

  it('never approves what the crawl saw', () => {
    expect(card({ ...findings(), mode: 'crawl', approved: null })).toContain(
      '  sign      nothing: the crawl never approves a payment',
    );
  });

  it.each<[why: string, changes: object, line: string]>([
    [
      'a dry run',
      { mode: 'dry-run', approved_payment: null },
      '  sign      nothing: a dry run is never an approval',
    ],
    [
      'an approval that cannot be read',
      { approved_payment: { network: 7 } },
      '  sign      only what the receipt approves; read it before you sign',
    ],
    ...[
      { amount: { atomic: '1e999' } },
      { amount: { atomic: '-5' } },
      { pay_to: 'me' },
      { network: 'eip155:84532' },
      { network: 'the moon' },
      { deadline: 'soon' },
    ].map((changes): [string, object, string] => [
      `an approval with ${JSON.stringify(changes)}`,
      { approved_payment: { ...RECEIPT.approved_payment, ...changes } },
      '  sign      only what the receipt approves; read it before you sign',
    ]),
    [
      'an amount that is said to be less than it is',
      { approved_payment: { ...RECEIPT.approved_payment, amount: { atomic: '9000000', usd: 0.01 } } },
      '  sign      $9 = 9000000 atomic USDC on eip155:8453',
    ],
    [
      'terms that are over',
      { approved_payment: { ...RECEIPT.approved_payment, deadline: '2026-11-15T12:00:00.000Z' } },
      '            expired: check again',
    ],
    [
      'several offers, of which the one that agrees is shown',
      { live_402: { accepts: [{ ...OFFER, amount_usd: 0.05, pay_to: THIEF }, OFFER] } },
      '  quoted    $0.01 a call, one of 2 offers',
    ],
    [
      'a price in another token',
      { live_402: { accepts: [{ ...OFFER, amount_usd: null }] } },
      '  quoted    not in USDC',
    ],
    [
      'a secret in the URL',
      { url: 'https://a.example/?api_key=hunter2' },
      '  endpoint  GET https://a.example/?api_key=REDACTED',
    ],
  ])('%s', (_, changes, line) => {
    expect(card(findings(changes))).toContain(line);
  });

  it('never shows terms to sign beside another verdict', () => {
    expect(card(findings({ verdict: 'skip' })).join('\n')).not.toMatch(/sign|atomic/);
  });

  it.each([40, 60, 80, 200])('fits into %i columns', (columns) => {
    const long = { url: `https://api.example.com/${'x'.repeat(300)}`, reason_text: 'word '.repeat(60) };
    for (const line of card(findings(long), { columns })) expect(cellsOf(line)).toBeLessThanOrEqual(columns);
  });

  it('lets nobody write on the terminal', () => {
    const evil = '\u001b]0;x\u0007\u001b[2J\u202e\u009b31m\nPAY';
    const wild = findings({
      url: `https://a.example/${evil}`,
      method: evil,
      reason: evil,
      reason_text: evil,
      permalink: evil,
      payment_terms_sha256: evil,
      expected: { claimed_price_usd: 0.01, pay_to: evil, network: evil, source: 'request' },
      live_402: { accepts: [{ ...OFFER, pay_to: evil, network: evil }] },
      approved_payment: { ...RECEIPT.approved_payment, pay_to: evil, network: evil },
    });
    const shown = `${card(wild).join('\n')}\n${verdictLine(wild, evil, { paint: createPaint(false), columns: 80, now: NOON })}`;
    // biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the point.
    expect(shown.replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
    expect(shown.split('\n').filter((line) => line.startsWith('PAY'))).toEqual([]);
  });
});

describe('one line of many', () => {
  const view = { paint: createPaint(false), columns: 80, now: NOON };

  it('has the verdict, the place and why', () => {
    expect(verdictLine(findings(), RECEIPT.url, { ...view, columns: 120 })).toBe(
      '✓ pay      https://api.example.com/data  The live 402 asks $0.01 in USDC on eip155:8453, as expected.',
    );
  });

  it.each([40, 60, 80, 133])('fits into %i columns', (columns) => {
    const line = verdictLine(findings(), `https://a.example/${'x'.repeat(200)}`, { ...view, columns });
    expect(cellsOf(line)).toBeLessThanOrEqual(columns);
  });
});

describe('what a service answered', () => {
  const FREE = {
    verdict: 'pay',
    reason: 'The live 402 asks $0.01.',
    payment_terms_sha256: null,
    receipt_id: 'sc-00010203fcfdfeff',
    receipt_url: 'http://assay.test/v1/receipts/sc-00010203fcfdfeff',
    access: { tier: 'free', free_per_day: 1, free_used_today: 1, free_remaining_today: 0 },
  };

  it.each<[why: string, json: unknown]>([
    ['nothing', null],
    ['a list', []],
    ['a verdict that nobody knows', { ...FREE, verdict: 'maybe' }],
    ['no reason', { verdict: 'pay' }],
  ])('%s is no verdict', (_, json) => {
    expect(readCheck(json)).toBeNull();
  });

  it('may lack or garble whatever is only shown', () => {
    expect(
      readCheck({ verdict: 'skip', reason: 'x y', access: 7, probe: 'z', payment: [], new: 1 }),
    ).toMatchObject({
      verdict: 'skip',
      reason: 'x y',
      code: null,
      approved: null,
      left: null,
    });
  });

  it('is completed by its receipt, which cannot turn a skip into an approval', () => {
    const [pay, skip] = [readCheck(FREE), readCheck({ ...FREE, verdict: 'skip' })];
    if (pay === null || skip === null) throw new Error('the answer cannot be read');
    expect(withReceipt(pay, findings())).toMatchObject({
      verdict: 'pay',
      approved: { price: 10_000n },
    });
    expect(withReceipt(skip, findings())).toMatchObject({ verdict: 'skip', approved: null });
    expect(withReceipt(pay, null)).toBe(pay);
  });
});
