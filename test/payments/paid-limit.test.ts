import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { paymentHeader, secondsFromNow } from '../../tools/signed-payment.ts';
import { checkOf, expectProblem, LOOKUP_PAID } from '../support/asking.ts';
import { expectDelivered } from '../support/paying/paying-answers.ts';
import { buy, signFor, withPayment } from '../support/paying/paying-buyer.ts';
import { buyerOf, chainOfTheFile, takingsOf } from '../support/paying/paying-chain.ts';
import { type PayingService, usePaying } from '../support/paying/paying-service.ts';
import { DOORS, type Received } from '../support/running/running-service.ts';

const chain = await chainOfTheFile();
const HONEST = checkOf('http://seller.example/honest');
/** Twelve minutes before the end of an hour, so that the hour does not change under a test. */
const TO_GO_SECONDS = 720;
const HOUR_MS = 3_600_000;
const STOPPED_AT = new Date(Math.ceil(Date.now() / HOUR_MS) * HOUR_MS - TO_GO_SECONDS * 1_000);
/** Good by the clock of the service and by that of the chain. */
const signing = { validAfter: 0, validBefore: secondsFromNow(10_000) };

function stopTheClock({ clock }: PayingService): void {
  clock.stoppedAt = STOPPED_AT;
}

/** Refused, and nothing was asked of anybody's money. */
function expectLimited(answer: Received, seconds: number): void {
  expectProblem(answer, 429, 'paid_limit');
  expect(answer.header('retry-after')).toBe(String(seconds));
  expect([answer.header('payment-response'), answer.json.verdict]).toEqual([null, undefined]);
}

describe.each(DOORS)('R-01: paid checks of one payer in one hour, through the %s', (door) => {
  const paying = usePaying({ chain, door, settings: { PAID_CHECKS_PER_HOUR: '3' } });
  const buyer = buyerOf(chain, DOORS.indexOf(door));
  const check = (who = buyer) => buy(paying.ask, HONEST, { buyer: who, signing });
  beforeEach(() => stopTheClock(paying));
  beforeAll(async () => {
    stopTheClock(paying);
    for (let n = 0; n < 3; n += 1) await expectDelivered(chain, await check(), '0.01');
  });

  it('one more is 429, and it is not charged', async () => {
    const { result, taken } = await takingsOf(chain, () => check());
    expectLimited(result.answer, TO_GO_SECONDS);
    expect(taken).toEqual([]);
    expect(paying.facilitator.calls).toEqual({ verify: 1, settle: 0 });
  });

  it('a letter case more or less is no other payer', async () => {
    const signed = await signFor(await paying.ask(HONEST), { buyer, signing });
    const { authorization } = signed;
    // Hexadecimal digits in other letters are the same address.
    const from = authorization.from.toLowerCase() as typeof authorization.from;
    const header = paymentHeader({ ...signed, authorization: { ...authorization, from } });
    expectLimited(await paying.ask(HONEST, withPayment(header)), TO_GO_SECONDS);
  });

  it('another payer is served', async () => {
    await expectDelivered(chain, await check(buyerOf(chain, 5)), '0.01');
  });

  it('lookups are not counted', async () => {
    await expectDelivered(
      chain,
      await buy(paying.ask, `${LOOKUP_PAID}?task=weather`, { buyer, signing }),
      '0.02',
    );
  });

  it('a payer who is only named is not counted (G08)', async () => {
    const path = `${HONEST}&client=x`;
    const signed = await signFor(await paying.ask(path), { buyer: buyerOf(chain, 6), signing });
    const forged = { ...signed, authorization: { ...signed.authorization, from: buyerOf(chain, 7).address } };
    for (let n = 0; n < 4; n += 1) {
      expect((await paying.ask(path, withPayment(paymentHeader(forged)))).json.error).toBe('bad_signature');
    }
    await expectDelivered(chain, await check(buyerOf(chain, 7)), '0.01');
  });

  it('an answer that is fetched again is not counted', async () => {
    const who = buyerOf(chain, 8 + DOORS.indexOf(door));
    const bought = await check(who);
    for (let n = 0; n < 5; n += 1) {
      expect((await paying.ask(HONEST, bought.paid)).text).toBe(bought.answer.text);
    }
    await expectDelivered(chain, await check(who), '0.01');
    await expectDelivered(chain, await check(who), '0.01');
    expectLimited((await check(who)).answer, TO_GO_SECONDS);
    expect((await paying.ask(HONEST, bought.paid)).text).toBe(bought.answer.text);
  });

  it('the payment that came too early is good in the next hour', async () => {
    const early = await check();
    expectLimited(early.answer, TO_GO_SECONDS);
    paying.clock.aheadMs = TO_GO_SECONDS * 1_000 - 1;
    expectLimited(await paying.ask(HONEST, early.paid), 1);
    paying.clock.aheadMs = TO_GO_SECONDS * 1_000;
    const { result, taken } = await takingsOf(chain, () => paying.ask(HONEST, early.paid));
    await expectDelivered(chain, { answer: result, signed: early.signed }, '0.01');
    expect(taken).toHaveLength(1);
  });
});

describe('PAY-16: the limit, when many payments come at once', () => {
  const paying = usePaying({ chain, settings: { PAID_CHECKS_PER_HOUR: '5' } });

  it('exactly as many as allowed are served and charged', async () => {
    stopTheClock(paying);
    const buyer = buyerOf(chain, 2);
    const required = await paying.ask(HONEST);
    const signed = await Promise.all(Array.from({ length: 12 }, () => signFor(required, { buyer, signing })));
    const { result, taken } = await takingsOf(chain, () =>
      Promise.all(signed.map((one) => paying.ask(HONEST, withPayment(paymentHeader(one))))),
    );
    const served = result.filter(({ status }) => status === 200);
    expect(served.map(({ json }) => json.access.tx).sort()).toEqual(taken.map(({ tx }) => tx).sort());
    expect([served.length, taken.length, paying.facilitator.calls.settle]).toEqual([5, 5, 5]);
    for (const late of result.filter(({ status }) => status !== 200)) expectLimited(late, TO_GO_SECONDS);
  });
});

describe('G08: without a setting', () => {
  const paying = usePaying({ chain });

  it('it is the 31st check that is too many', async () => {
    stopTheClock(paying);
    const buyer = buyerOf(chain, 3);
    const { taken } = await takingsOf(chain, async () => {
      for (let n = 0; n < 30; n += 1) {
        expect((await buy(paying.ask, HONEST, { buyer, signing })).answer.status).toBe(200);
      }
      expectLimited((await buy(paying.ask, HONEST, { buyer, signing })).answer, TO_GO_SECONDS);
    });
    expect(taken).toHaveLength(30);
  });
});
