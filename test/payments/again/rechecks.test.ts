import { describe, expect, it } from 'vitest';
import { paidShape } from '../../../src/wire/responses/spot-check-response.ts';
import { asking, checkOf, LOOKUP_PAID } from '../../support/asking.ts';
import { expectDelivered, settlementIn } from '../../support/paying/paying-answers.ts';
import { buy, type Purchase } from '../../support/paying/paying-buyer.ts';
import { buyerOf, chainOfTheFile, takingsOf } from '../../support/paying/paying-chain.ts';
import { type PayingService, usePaying } from '../../support/paying/paying-service.ts';
import { httpAnswer, type Script } from '../../support/probing/fake-seller.ts';
import { scriptedSeller } from '../../support/probing/scripted-seller.ts';
import { DOORS, type Received } from '../../support/running/running-service.ts';

const chain = await chainOfTheFile();

/** A target that is down until it is put up. */
function mendable(state: { up: boolean }): Script {
  return (socket, request) => {
    if (!/^\S+ \/mendable/.test(request)) return scriptedSeller(socket, request);
    socket.end(state.up ? asking({}) : httpAnswer(503, []));
  };
}

/** The paid shape, but nothing was taken and nothing is kept. */
function expectUncharged(answer: Received, reason: string): void {
  expect([answer.status, answer.json.verdict, answer.json.reason]).toEqual([200, 'recheck', reason]);
  expect(paidShape.safeParse(answer.json).error).toBeUndefined();
  expect(answer.json.access).toEqual({
    tier: 'paid',
    charged_usd: '0',
    tx: '',
    note: 'the endpoint could not be judged: nothing was charged, and the payment can be used again',
  });
  expect([settlementIn(answer), answer.header('x-payment-response')]).toEqual([null, null]);
  expect(answer.header('cache-control')).toBe('no-store');
  expect(answer.header('ratelimit')).toMatch(/^"free-checks";r=0;t=\d+$/);
  expect(answer.header('ratelimit-policy')).toBe('"free-checks";q=1;w=86400');
}

describe.each(DOORS)('a target that cannot be heard costs nothing (G40), through the %s', (door) => {
  const state = { up: false };
  const settings = { PAID_CHECKS_PER_HOUR: '2' };
  const paying: PayingService = usePaying({
    chain,
    door,
    settings,
    seller: mendable(state),
    timeoutMs: 3_000,
  });
  const forget = () => paying.store.probes.prune(new Date(Date.now() + 3_600_000), 1_000);
  const uncharged = async (url: string, index: number, reason: string): Promise<Purchase> => {
    const { result, taken } = await takingsOf(chain, () =>
      buy(paying.ask, checkOf(url), { buyer: buyerOf(chain, index) }),
    );
    expectUncharged(result.answer, reason);
    expect([taken, paying.facilitator.calls.settle]).toEqual([[], 0]);
    return result;
  };

  it.each<[string, string, string, number]>([
    ['server_error', 'it answers 503', 'down', 0],
    ['unreachable', 'it hangs up', 'reset', 1],
    ['timeout', 'it does not answer', 'slow', 2],
  ])('%s: %s', async (reason, _, path, index) => {
    const { answer, paid } = await uncharged(`http://seller.example/${path}`, index, reason);
    // Nothing is stored for replay: it is looked at once more, and that costs nothing either.
    const again = await paying.ask(checkOf(`http://seller.example/${path}`), paid);
    expectUncharged(again, reason);
    if (answer.json.receipt_id === null) return;
    expect((await paying.ask(`/v1/receipts/${answer.json.receipt_id}`)).json.verdict).toBe('recheck');
  });

  it('the payment is good for the same URL once it is up again', async () => {
    state.up = false;
    const url = 'http://seller.example/mendable';
    const { paid, signed } = await uncharged(url, 3, 'server_error');
    state.up = true;
    await forget();
    const { result, taken } = await takingsOf(chain, () => paying.ask(checkOf(url), paid));
    await expectDelivered(chain, { answer: result, signed }, '0.01');
    expect(taken).toHaveLength(1);
  });

  it('the payment is good for another URL', async () => {
    const { paid, signed } = await uncharged('http://seller.example/down', 4, 'server_error');
    const { result, taken } = await takingsOf(chain, () =>
      paying.ask(checkOf('http://seller.example/honest'), paid),
    );
    await expectDelivered(chain, { answer: result, signed }, '0.01');
    expect(taken).toHaveLength(1);
  });

  it('such calls are not counted: two can be charged after five of them', async () => {
    const buyer = buyerOf(chain, 5);
    // The hour must not change in between.
    paying.clock.stoppedAt = new Date();
    for (let n = 0; n < 5; n += 1) {
      const { answer } = await buy(paying.ask, checkOf('http://seller.example/down'), { buyer });
      expectUncharged(answer, 'server_error');
    }
    for (let n = 0; n < 2; n += 1) {
      const bought = await buy(paying.ask, checkOf('http://seller.example/honest'), { buyer });
      await expectDelivered(chain, bought, '0.01');
    }
    const { answer } = await buy(paying.ask, checkOf('http://seller.example/honest'), { buyer });
    expect([answer.status, answer.json.code]).toEqual([429, 'paid_limit']);
  });

  it('8 at once with one payment: nothing is taken, and it is still good', async () => {
    const { paid, signed } = await uncharged('http://seller.example/down', 8, 'server_error');
    const { result, taken } = await takingsOf(chain, () =>
      Promise.all(Array.from({ length: 8 }, () => paying.ask(checkOf('http://seller.example/down'), paid))),
    );
    expect(taken).toEqual([]);
    for (const answer of result) expect([200, 503]).toContain(answer.status);
    const honest = await paying.ask(checkOf('http://seller.example/honest'), paid);
    await expectDelivered(chain, { answer: honest, signed }, '0.01');
  });

  it('a free trial is an answer, and it is charged', async () => {
    const bought = await buy(paying.ask, checkOf('http://seller.example/trial'), {
      buyer: buyerOf(chain, 9),
    });
    await expectDelivered(chain, bought, '0.01');
    expect(bought.answer.json).toMatchObject({ reason: 'free_trial_active', free_trial_remaining: 3 });
  });

  it('a payment that is refused is refused also then', async () => {
    const { answer } = await buy(paying.ask, checkOf('http://seller.example/down'), {
      buyer: chain.accounts.pauper,
    });
    expect([answer.status, answer.json.error]).toEqual([402, 'insufficient_funds']);
  });

  it('and a lookup is no check: it is delivered whatever targets do', async () => {
    const bought = await buy(paying.ask, `${LOOKUP_PAID}?task=weather`, { buyer: buyerOf(chain, 9) });
    await expectDelivered(chain, bought, '0.02');
  });
});
