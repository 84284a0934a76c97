import { describe, expect, it } from 'vitest';
import { paymentHeader, type SignedAuthorization, signAuthorization } from '../../../tools/signed-payment.ts';
import { checkOf, expectProblem, LOOKUP_PAID, PACK } from '../../support/asking.ts';
import { expectDelivered, expectRefused, GOODS, settlementIn } from '../../support/paying/paying-answers.ts';
import { signFor, withPayment } from '../../support/paying/paying-buyer.ts';
import {
  bringIn,
  buyerOf,
  cancel,
  chainOfTheFile,
  drain,
  takingsOf,
} from '../../support/paying/paying-chain.ts';
import { type PayingService, usePaying } from '../../support/paying/paying-service.ts';
import type { Received } from '../../support/running/running-service.ts';

const chain = await chainOfTheFile();
const DEAR = checkOf('http://seller.example/dear');
const TASK = `${LOOKUP_PAID}?task=weather`;
const THROUGH = ['http', 'built-in'] as const;

type Trick = (signed: SignedAuthorization) => Promise<unknown>;

/** Signs, and plays the trick when the payment was found good and is about to be taken. */
async function tricked(paying: PayingService, path: string, index: number, trick: Trick) {
  const signed = await signFor(await paying.ask(path), { buyer: buyerOf(chain, index) });
  paying.facilitator.beforeSettle = async () => {
    await trick(signed);
  };
  const paid = withPayment(paymentHeader(signed));
  return { signed, paid, answer: await paying.ask(path, paid) };
}

async function expectNothing(paying: PayingService, answer: Received): Promise<void> {
  expect(answer.text).not.toMatch(GOODS);
  expect((await paying.ask('/v1/receipts?type=live')).json.receipts).toEqual([]);
  expect((await paying.ask('/v1/receipts/by-url?url=http://seller.example/dear')).status).toBe(404);
}

describe.each(THROUGH)('PAY-21: the money goes away after it was looked at (%s)', (through) => {
  const paying = usePaying({ chain, through });
  const first = THROUGH.indexOf(through) * 4;

  it.each<[string, string, number]>([
    ['a check', DEAR, 0],
    ['a lookup', TASK, 1],
    ['the pack', PACK, 2],
  ])('the balance is drained: 402, no %s', async (_, path, index) => {
    const buyer = buyerOf(chain, first + index);
    const { result, taken } = await takingsOf(chain, () =>
      tricked(paying, path, first + index, () => drain(chain, buyer, 1_000n)),
    );
    expectRefused(result.answer, 'insufficient_funds');
    expect(settlementIn(result.answer)).toEqual({
      success: false,
      errorReason: 'insufficient_funds',
      transaction: '',
      network: 'eip155:8453',
    });
    expect(taken).toEqual([]);
    await expectNothing(paying, result.answer);
    paying.facilitator.reset();
    expectRefused(await paying.ask(path, result.paid), 'insufficient_funds');
    expect(paying.facilitator.calls.settle).toBe(0);
  });

  it.each<[string, string]>([
    ['a check', DEAR],
    ['a lookup', TASK],
  ])('the authorization is canceled: 402, no %s', async (_, path) => {
    const buyer = buyerOf(chain, first + 3);
    const { result, taken } = await takingsOf(chain, () =>
      tricked(paying, path, first + 3, (signed) => cancel(chain, buyer, signed)),
    );
    expectRefused(result.answer, 'already_used');
    expect(settlementIn(result.answer)).toMatchObject({ success: false, transaction: '' });
    expect(taken).toEqual([]);
    await expectNothing(paying, result.answer);
  });

  it('the nonce goes to another transfer: 402, nothing for us and nothing from us', async () => {
    const buyer = buyerOf(chain, first + 3);
    const { result, taken } = await takingsOf(chain, () =>
      tricked(paying, TASK, first + 3, async ({ authorization: { nonce } }) => {
        const elsewhere = await signAuthorization({
          key: buyer.key,
          to: chain.accounts.minter.address,
          value: 1n,
          nonce,
        });
        await bringIn(chain, chain.accounts.minter, elsewhere);
      }),
    );
    expectRefused(result.answer, 'already_used');
    expect(taken).toEqual([]);
    await expectNothing(paying, result.answer);
  });

  it('somebody else brings it to the chain: we are paid, so it is delivered', async () => {
    const seen: string[] = [];
    const { result, taken } = await takingsOf(chain, () =>
      tricked(paying, TASK, first + 3, async (signed) => {
        seen.push(await bringIn(chain, chain.accounts.minter, signed));
      }),
    );
    expect(taken.map(({ tx }) => tx)).toEqual(seen);
    await expectDelivered(chain, result, '0.02');
    expect([result.answer.json.access.tx]).toEqual(seen);
  });
});

describe('PAY-21: what nobody can tell', () => {
  const authorizationLog = { useOf: async () => ({ kind: 'unavailable' }) as const };
  const paying = usePaying({ chain, world: { authorizationLog } });

  it('is neither yes nor no: 503, and nothing is delivered', async () => {
    const buyer = buyerOf(chain, 8);
    const { answer } = await tricked(paying, DEAR, 8, (signed) => cancel(chain, buyer, signed));
    expectProblem(answer, 503, 'settlement_pending');
    await expectNothing(paying, answer);
  });
});
