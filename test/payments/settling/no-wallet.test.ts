import { describe, expect, it } from 'vitest';
import { paymentHeader, signAuthorization } from '../../../tools/signed-payment.ts';
import { checkOf, expectProblem, LOOKUP, LOOKUP_PAID, PACK } from '../../support/asking.ts';
import { withPayment } from '../../support/paying/paying-buyer.ts';
import { buyerOf, chainOfTheFile, takingsOf } from '../../support/paying/paying-chain.ts';
import { usePaying } from '../../support/paying/paying-service.ts';
import { DOORS, type Sent } from '../../support/running/running-service.ts';

const chain = await chainOfTheFile();
const POST: Sent = { method: 'POST' };
/** Whole seconds to midnight; the clock of a chain is the real one. */
const TO_MIDNIGHT = /^[1-9][0-9]{0,4}$/;
const ROUTES: [what: string, path: string, sent: Sent, value: bigint][] = [
  ['a lookup past the quota', `${LOOKUP}?task=weather`, {}, 20_000n],
  ['a paid lookup', `${LOOKUP_PAID}?task=weather`, {}, 20_000n],
  ['a paid lookup with bad parameters', `${LOOKUP_PAID}?n=99`, {}, 20_000n],
  ['a check', checkOf('http://seller.example/honest'), {}, 10_000n],
  ['a check by POST', checkOf('http://seller.example/honest'), POST, 10_000n],
  ['the pack', PACK, {}, 9_000_000n],
  ['the pack by POST', PACK, POST, 9_000_000n],
];

describe.each(DOORS)('without a wallet nothing can be bought (G66), through the %s', (door) => {
  const paying = usePaying({ chain, door, settings: { PAY_TO: '' } });

  it.each(ROUTES)('%s: 503, and nobody is asked', async (_, path, sent, value) => {
    const signed = await signAuthorization({
      key: buyerOf(chain).key,
      to: chain.accounts.seller.address,
      value,
    });
    for (const version of [2, 1] as const) {
      const paid = withPayment(paymentHeader(signed, { version }), { version, sent });
      const { result, taken } = await takingsOf(chain, () => paying.ask(path, paid));
      expectProblem(result, 503, 'payments_unavailable');
      const isMetered = !path.startsWith(LOOKUP_PAID) && path !== PACK;
      expect(result.header('retry-after')).toMatch(isMetered ? TO_MIDNIGHT : /^3600$/);
      expect(taken).toEqual([]);
    }
    const unread = await paying.ask(path, withPayment('%%%', { sent }));
    expectProblem(unread, 503, 'payments_unavailable');
    expect(paying.facilitator.calls).toEqual({ verify: 0, settle: 0 });
  });
});
