import { expect, it } from 'vitest';
import { microUsd } from '../../../src/core/money/micro-usd.ts';
import { judgeAgain } from '../../../src/core/statement/judge-again.ts';
import { readStatement } from '../../../src/core/statement/read-statement.ts';
import { isSignedView } from '../../../src/core/vantage/messages.ts';
import { ENTRY, header, PAYEE, THIEF } from '../../../tools/samples/challenge.ts';
import { checkOf, EXEMPT } from '../../support/asking.ts';
import { oddSeller } from '../../support/probing/odd-seller.ts';
import { answering } from '../../support/probing/probing.ts';
import { startService } from '../../support/running/running-service.ts';
import { client, liar, observationOf, vantage } from '../../support/vantage/asking-vantages.ts';

const terms = (payTo: string) =>
  answering(402, [header({ x402Version: 2, accepts: [{ ...ENTRY, payTo }] })], '{}');

/** A service that asks these from this price on, and what it says about an endpoint for $0.01. */
async function checked(vantages: Parameters<typeof client>[0], from = 10_000n) {
  const { port } = client(vantages, { fromPrice: microUsd(from), timeoutMs: 2_000 });
  const service = await startService({ seller: oddSeller, world: { vantages: port } });
  try {
    const claim = from > 10_000n ? { claimed_price: '0.01' } : {};
    const { status, json } = await service.ask(checkOf('http://seller.example/honest', claim), {
      headers: EXEMPT,
    });
    const receipt = await service.ask(`/v1/receipts/${json.receipt_id}.json`);
    const statement = await service.ask(`/v1/receipts/${json.receipt_id}/statement`);
    const page = await service.ask(`/v1/receipts/${json.receipt_id}`, { headers: { accept: 'text/html' } });
    expect([status, receipt.status, statement.status, page.status]).toEqual([200, 200, 200, 200]);
    return { answer: json, receipt: receipt.json, statement: readStatement(statement.text), page: page.text };
  } finally {
    await service.close();
  }
}

it('pays what two real vantages see, too, and keeps what they signed', async () => {
  const [oslo, lima] = [
    await vantage('oslo', { seller: terms(PAYEE) }),
    await vantage('lima', { seller: terms(PAYEE) }),
  ];
  const { answer, receipt, statement, page } = await checked([oslo.listed, lima.listed]);
  expect([answer.verdict, answer.reason, answer.payment.pay_to]).toEqual(['pay', 'price_ok', PAYEE]);
  expect(receipt.vantages).toMatchObject({
    needed: 2,
    views: [
      { vantage: 'oslo.example/v', verdict: 'pay', pay_to: PAYEE },
      { vantage: 'lima.example/v', verdict: 'pay', pay_to: PAYEE },
    ],
  });
  if (statement === null) throw new Error('the statement should be readable');
  expect(judgeAgain(statement)).toEqual([]);
  expect(statement.views?.views.map(isSignedView)).toEqual([true, true]);
  expect(page).toContain('Other points of view');
  expect([oslo.requests.length, lima.requests.length]).toEqual([1, 1]);
});

it('never pays a seller that shows the terms of a thief to one of them', async () => {
  const [oslo, lima] = [
    await vantage('oslo', { seller: terms(PAYEE) }),
    await vantage('lima', { seller: terms(THIEF) }),
  ];
  const { answer, receipt, page } = await checked([oslo.listed, lima.listed]);
  expect([answer.verdict, answer.reason, answer.payment]).toEqual(['skip', 'terms_differ', null]);
  expect(receipt.reason_text).toMatch(/^The seller shows different terms to different visitors/);
  expect(page).toContain('different terms to different visitors');
});

it.each<[string, (note: string) => string]>([
  ['forged', (note) => observationOf(note).replace('"kind":"timed_out"', '"kind":"blocked"')],
  ['for another request', (note) => observationOf(note, { request: '0'.repeat(64) })],
  ['from long ago', (note) => observationOf(note, { at: new Date(Date.now() - 120_000) })],
  ['nothing at all', () => ''],
])('pays nothing where the second observation is %s', async (_, lie) => {
  const oslo = await vantage('oslo', { seller: terms(PAYEE) });
  const other = await liar((note, response) => response.end(lie(note)));
  const { answer, receipt } = await checked([oslo.listed, other.listed]);
  expect([answer.verdict, answer.reason, answer.payment]).toEqual(['recheck', 'unconfirmed', null]);
  expect(receipt.vantages.views).toHaveLength(1);
});

it('with one of them down: pays below the price, and not from it on', async () => {
  const [oslo, gone] = [await vantage('oslo', { seller: terms(PAYEE) }), await vantage('gone')];
  await gone.close();
  const both = [oslo.listed, gone.listed];
  expect((await checked(both, 10_001n)).answer).toMatchObject({ verdict: 'pay', reason: 'price_ok' });
  expect((await checked(both)).answer).toMatchObject({ verdict: 'recheck', reason: 'unconfirmed' });
});
