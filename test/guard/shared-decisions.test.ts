import { expect, it, vi } from 'vitest';
import { guardFor, inProcessSeller, payer } from '../support/guarding/sellers/in-process-seller.ts';

const PAID = 'https://seller.example/paid';

it('a person is asked once about a request that is made several times at once', async () => {
  const approve = vi.fn(() => true);
  const seller = inProcessSeller();
  const pay = payer(guardFor(seller, { approve }).fetch);
  const answers = await Promise.all([pay(PAID), pay(PAID), pay(PAID)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect([approve.mock.calls.length, seller.payments()]).toEqual([1, 1]);
});
