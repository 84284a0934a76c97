import { describe, expect, it } from 'vitest';
import { createBuiltInFacilitator } from '../../../src/adapters/facilitator/built-in-facilitator.ts';
import { createHttpFacilitator } from '../../../src/adapters/facilitator/http-facilitator.ts';
import { checkOf, LOOKUP, LOOKUP_PAID, PACK } from '../../support/asking.ts';
import {
  expectNoInternals,
  expectRefused,
  expectUnavailable,
  GOODS,
  settlementIn,
} from '../../support/paying/paying-answers.ts';
import { buy, type Purchase } from '../../support/paying/paying-buyer.ts';
import { buyerOf, cancel, chainOfTheFile, takingsOf } from '../../support/paying/paying-chain.ts';
import { type PayingService, usePaying } from '../../support/paying/paying-service.ts';
import { DOORS, type Received } from '../../support/running/running-service.ts';

const chain = await chainOfTheFile();
const buyer = buyerOf(chain);
const TASK = `${LOOKUP_PAID}?task=weather`;
const DEAR = checkOf('http://seller.example/dear');
const TX = `0x${'ab'.repeat(32)}`;
const LEAK = 'HTTP request failed. URL: http://10.0.0.7:8545 at Object.x (/srv/viem.js:1:2)';

/** Not a word of the goods, and no receipt of them. */
async function expectNothingDelivered({ ask, faults }: PayingService, answer: Received): Promise<void> {
  expectNoInternals(answer);
  expect(answer.text).not.toMatch(GOODS);
  const { json } = await ask('/v1/receipts?type=live');
  expect(json.receipts).toEqual([]);
  expect((await ask('/v1/receipts/by-url?url=http://seller.example/dear')).status).toBe(404);
  expect(faults).toEqual([]);
}

describe.each(DOORS)('PAY-22: a facilitator that cannot be believed, through the %s', (door) => {
  const paying = usePaying({ chain, door });
  const payer = buyer.address;
  const network = 'eip155:8453';
  const lie = (body: object) => JSON.stringify({ network, payer, transaction: TX, ...body });
  const good = { success: true, isValid: true };

  it.each<[string, number, string]>([
    ['HTML', 200, '<html>it works</html>'],
    ['nothing', 200, ''],
    ['a list', 200, '[true]'],
    ['yes in words', 200, lie({ isValid: 'true' })],
    ['1 MB', 200, lie({ ...good, x: 'y'.repeat(1_000_000) })],
    ['yes, of another payer', 200, lie({ ...good, payer: buyerOf(chain, 1).address })],
    ['no, for reasons of its own', 200, lie({ isValid: false, invalidReason: 'unexpected_verify_error' })],
    ['500 with its own words', 500, JSON.stringify({ error: LEAK })],
    ['503 with a yes', 503, lie(good)],
    ['401', 401, '{"message":"unauthorized"}'],
  ])('verify says %s: 503, nothing is settled', async (_, status, body) => {
    paying.misbehave({ kind: 'answer', status, body });
    const { result, taken } = await takingsOf(chain, () => buy(paying.ask, DEAR, { buyer }));
    expectUnavailable(result.answer, 'facilitator_unavailable');
    expect([taken, paying.facilitator.calls.settle]).toEqual([[], 0]);
    await expectNothingDelivered(paying, result.answer);
    expect((await paying.ask(DEAR)).status).toBe(402);
  });

  it('verify hangs up: 503', async () => {
    paying.misbehave({ kind: 'lost_answer' });
    const { answer } = await buy(paying.ask, TASK, { buyer });
    expectUnavailable(answer, 'facilitator_unavailable');
  });

  it.each<[string, string, string]>([
    ['a reason that we know', 'insufficient_funds', 'insufficient_funds'],
    ['a reason of the large ones', 'invalid_exact_evm_payload_signature', 'bad_signature'],
  ])('verify says no with %s: 402', async (_, invalidReason, reason) => {
    const body = lie({ isValid: false, invalidReason, invalidMessage: LEAK });
    paying.misbehave({ kind: 'answer', status: 200, body });
    const { answer } = await buy(paying.ask, TASK, { buyer });
    expectRefused(answer, reason);
    await expectNothingDelivered(paying, answer);
  });

  /** Verified by an honest facilitator, and then settled by this one. */
  const settledBy = async (status: number, body: string, path = DEAR): Promise<Purchase> => {
    paying.facilitator.beforeSettle = async () => paying.misbehave({ kind: 'answer', status, body });
    const { result, taken } = await takingsOf(chain, () => buy(paying.ask, path, { buyer }));
    expect(taken).toEqual([]);
    paying.misbehave(null);
    return result;
  };

  it.each<[string, number, string]>([
    [
      '200 and no',
      200,
      lie({ success: false, errorReason: 'insufficient_funds', errorMessage: LEAK, transaction: '' }),
    ],
    ['402 and no', 402, lie({ success: false, errorReason: 'insufficient_funds', transaction: '' })],
  ])('settle says %s: 402, nothing is delivered', async (_, status, body) => {
    for (const path of [DEAR, TASK, PACK]) {
      const { answer } = await settledBy(status, body, path);
      expectRefused(answer, 'insufficient_funds');
      expect(settlementIn(answer)).toEqual({
        success: false,
        errorReason: 'insufficient_funds',
        transaction: '',
        network,
      });
      await expectNothingDelivered(paying, answer);
    }
  });

  it.each<[string, number, string]>([
    ['HTML', 200, '<html>it works</html>'],
    ['nothing', 200, ''],
    ['1 MB', 200, lie({ ...good, x: 'y'.repeat(1_000_000) })],
    ['yes, on another network', 200, lie({ ...good, network: 'eip155:84532' })],
    ['yes, of another payer', 200, lie({ ...good, payer: buyerOf(chain, 1).address })],
    ['yes, of nobody', 200, lie({ ...good, payer: undefined })],
    ['yes, without a transaction', 200, lie({ ...good, transaction: '' })],
    ['yes, in a transaction of zeros', 200, lie({ ...good, transaction: `0x${'00'.repeat(32)}` })],
    ['yes, in a transaction that is none', 200, lie({ ...good, transaction: '<script>' })],
    ['no, but in a transaction', 200, lie({ success: false, errorReason: 'insufficient_funds' })],
    ['no, for reasons nobody knows', 200, lie({ success: false, errorReason: LEAK, transaction: '' })],
    ['500 with its own words', 500, JSON.stringify({ error: LEAK })],
    ['500 with a yes', 500, lie(good)],
  ])('settle says %s: 503, and nothing is delivered until it is known', async (_, status, body) => {
    const { answer, paid, signed } = await settledBy(status, body);
    expectUnavailable(answer, 'settlement_pending');
    expect(settlementIn(answer)).toBeNull();
    await expectNothingDelivered(paying, answer);
    // Never a new demand: the buyer would pay twice.
    expectUnavailable(await paying.ask(DEAR, paid), 'settlement_pending');
    expectUnavailable(await paying.ask(DEAR, paid), 'settlement_pending');
    expect(paying.facilitator.calls.settle).toBe(1);
    paying.facilitator.reset();
    // Canceled, so that it can never be settled and is out of the way of the other tests.
    await cancel(chain, buyer, signed);
    expect(await paying.reconcile()).toEqual({ settled: 0, rejected: 1, open: 0 });
    expectRefused(await paying.ask(DEAR, paid), 'already_used');
  });
});

describe.each<[string, () => Parameters<typeof usePaying>[0]['through']]>([
  ['over HTTP', () => createHttpFacilitator({ url: 'http://127.0.0.1:9' })],
  [
    'of our own, without its node',
    () => createBuiltInFacilitator({ rpcUrl: 'http://127.0.0.1:9', gasKey: chain.accounts.gas.key }),
  ],
])('a facilitator that is down (%s)', (_, through) => {
  const paying = usePaying({ chain, through: through() ?? 'http' });

  it.each([`${LOOKUP}?task=weather`, TASK, DEAR, PACK])('503, never 402: %s', async (path) => {
    const { answer } = await buy(paying.ask, path, { buyer });
    expectUnavailable(answer, 'facilitator_unavailable');
    await expectNothingDelivered(paying, answer);
    expect(paying.facilitator.calls).toEqual({ verify: 1, settle: 0 });
  });
});
