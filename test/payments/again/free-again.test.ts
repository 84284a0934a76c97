import { describe, expect, it } from 'vitest';
import { paymentHeader, signAuthorization } from '../../../tools/signed-payment.ts';
import { checkOf, LOOKUP } from '../../support/asking.ts';
import { withPayment } from '../../support/paying/paying-buyer.ts';
import { buyerOf, chainOfTheFile, takingsOf } from '../../support/paying/paying-chain.ts';
import { usePaying } from '../../support/paying/paying-service.ts';
import { DOORS, freshAddress } from '../../support/running/running-service.ts';

const chain = await chainOfTheFile();
const buyer = buyerOf(chain);
const TASK = `${LOOKUP}?task=weather`;
const HONEST = checkOf('http://seller.example/honest');
const DAY_MS = 86_400_000;
const USUAL = { FREE_LOOKUPS_PER_ADDRESS: '100', FREE_CHECKS_PER_ADDRESS: '100' };

describe.each(DOORS)(
  'what was bought comes back although something is free again, through the %s',
  (door) => {
    const paying = usePaying({ chain, door, settings: USUAL });

    it.each<[string, string, number, bigint]>([
      ['a lookup', TASK, 5, 20_000n],
      ['a check', HONEST, 1, 10_000n],
    ])('%s (G63)', async (_, path, free, value) => {
      const from = freshAddress();
      for (let call = 0; call < free; call += 1) await paying.ask(path, { from });
      const header = paymentHeader(
        await signAuthorization({ key: buyer.key, to: chain.accounts.seller.address, value }),
      );
      const { result, taken } = await takingsOf(chain, async () => {
        const first = await paying.ask(path, { ...withPayment(header), from });
        // After midnight the buyer has all its free calls again.
        paying.clock.aheadMs = DAY_MS - (Date.now() % DAY_MS);
        const again = await paying.ask(path, { ...withPayment(header), from });
        const unpaid = await paying.ask(path, { from });
        return { first, again, unpaid };
      });
      expect([result.first.status, result.first.json.access.tier, taken.length]).toEqual([200, 'paid', 1]);
      expect(result.again.text).toBe(result.first.text);
      expect(result.again.header('payment-response')).toBe(result.first.header('payment-response'));
      // The answer of yesterday knows nothing about the quota of today.
      expect([result.again.header('ratelimit'), result.again.header('ratelimit-policy')]).toEqual([
        null,
        null,
      ]);
      expect(result.unpaid.json.access).toMatchObject({ tier: 'free', free_used_today: 1 });
    });
  },
);
