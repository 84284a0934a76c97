import { describe, expect, it } from 'vitest';
import { paymentHeader, secondsFromNow } from '../../../tools/signed-payment.ts';
import { asking, checkOf, sellerWith } from '../../support/asking.ts';
import { expectDelivered } from '../../support/paying/paying-answers.ts';
import { signFor, withPayment } from '../../support/paying/paying-buyer.ts';
import { buyerOf, chainOfTheFile } from '../../support/paying/paying-chain.ts';
import { usePaying } from '../../support/paying/paying-service.ts';

const chain = await chainOfTheFile();
const buyer = buyerOf(chain);

describe('a paid approval can still be used (G103)', () => {
  const paying = usePaying({
    chain,
    seller: sellerWith({
      minute: asking({ maxTimeoutSeconds: 60 }),
      hour: asking({ maxTimeoutSeconds: 3_600 }),
      moment: asking({ maxTimeoutSeconds: 2 }),
    }),
  });
  const sentTo = (path: string) =>
    paying.sellerRequests.filter((request) => request.includes(` /${path} `)).length;

  /** Buys a check; the clock goes forward before the payment is sent and while it is being verified. */
  const boughtLate = async (path: string, { beforeMs = 0, verifyingMs = 0 }) => {
    paying.clock.stoppedAt = new Date();
    const check = checkOf(`http://seller.example/${path}`);
    const signing = { validBefore: secondsFromNow(3_600) };
    const signed = await signFor(await paying.ask(check), { buyer, signing });
    paying.clock.aheadMs = beforeMs;
    paying.facilitator.beforeVerify = async () => {
      paying.clock.aheadMs += verifyingMs;
    };
    const answer = await paying.ask(check, withPayment(paymentHeader(signed)));
    const now = paying.clock.stoppedAt.getTime() + paying.clock.aheadMs;
    await expectDelivered(chain, { answer, signed }, '0.01');
    return { leftMs: Date.parse(answer.json.payment.deadline) - now, cached: answer.json.probe.cached };
  };

  it.each<[string, string, { beforeMs?: number; verifyingMs?: number }, number, boolean]>([
    ['an answer that has just been seen is reused', 'hour', {}, 1, true],
    ['a minute that is nearly over is asked for again', 'minute', { beforeMs: 58_000 }, 2, false],
    ['a minute that ends while the payment is verified, too', 'minute', { verifyingMs: 45_000 }, 2, false],
    ['a lifetime of two seconds, too', 'moment', { verifyingMs: 1_500 }, 2, false],
  ])('%s', async (_, path, late, requests, cached) => {
    await paying.store.probes.prune(new Date(Date.now() + 3_600_000), 1_000);
    const before = sentTo(path);
    const bought = await boughtLate(path, late);
    expect(bought.leftMs).toBeGreaterThan(0);
    expect([sentTo(path) - before, bought.cached]).toEqual([requests, cached]);
  });
});
