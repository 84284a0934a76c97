import { describe, expect, it } from 'vitest';
import { GuardRefused } from '../../src/guard/index.ts';
import { answered, PAYEE } from '../../tools/samples/challenge.ts';
import {
  guardFor,
  type InProcessSeller,
  inProcessSeller,
  payer,
  payerOfVersion1,
} from '../support/guarding/sellers/in-process-seller.ts';
import { NOTHING, verdictOf } from '../support/judging.ts';
import { HONEST, HOSTILE } from '../support/stock-challenges.ts';

const PAID = 'https://seller.example/paid';

/** Each payment that reached the seller: payee, amount, and whether it lives at most a quarter of an hour. */
const paidTo = ({ seen }: InProcessSeller) =>
  seen.flatMap(({ payment }) => {
    if (payment === null) return [];
    const { to, value, validBefore } = payment.payload.authorization;
    return [[to.toLowerCase(), value, Number(validBefore) <= Date.now() / 1_000 + 900]];
  });
const AS_APPROVED = [PAYEE.toLowerCase(), '10000', true];

describe('the guard between stock clients and their sellers', () => {
  it.each(HONEST)('pays an honest one: %s', async (_, challenge) => {
    const seller = inProcessSeller(challenge);
    const answer = await payer(guardFor(seller).fetch)(PAID);
    expect(answer.status).toBe(200);
    expect(paidTo(seller)).toEqual([AS_APPROVED]);
  });

  it.each([...HONEST, ...HOSTILE])(
    'shows the payer a 402 that the judge approves as a whole: %s',
    async (_, challenge) => {
      const guard = guardFor(inProcessSeller(challenge), { limits: { perPayment: '0.1', perDay: '5' } });
      const shown = await guard.fetch(PAID).catch((fault: unknown) => fault);
      if (shown instanceof GuardRefused) return;
      if (!(shown instanceof Response)) throw shown;
      const body = new Uint8Array(await shown.arrayBuffer());
      expect(verdictOf(answered({ headers: [...shown.headers], body }), NOTHING)).toMatchObject({
        verdict: 'pay',
        terms: { payTo: PAYEE, amountAtomic: 10_000n },
      });
    },
  );

  it.each(HOSTILE)('refuses a hostile one, or pays what was approved: %s', async (_, challenge) => {
    for (const payerOf of [payer, payerOfVersion1]) {
      const seller = inProcessSeller(challenge);
      const pay = await payerOf(guardFor(seller, { limits: { perPayment: '0.1', perDay: '5' } }).fetch);
      const outcome = await pay(PAID).catch((fault: unknown) => fault);
      if (outcome instanceof GuardRefused) expect(paidTo(seller)).toEqual([]);
      for (const paid of paidTo(seller)) expect(paid).toEqual(AS_APPROVED);
    }
  });
});
