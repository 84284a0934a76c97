import { expect, it, vi } from 'vitest';
import { refusalIn } from '../support/guarding/buyers/measure-purchase.ts';
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

it.each<[string, Record<string, string>]>([
  ['over_payment_limit', { 'X-Assay-Max-Price': '0.001' }],
  ['over_task_limit', { 'X-Assay-Task': 'spent' }],
])('a limit of one caller does not refuse those who wait: %s', async (code, headers) => {
  let goOn = () => {};
  const listing = new Promise<null>((resolve) => {
    goOn = () => resolve(null);
  });
  const seller = inProcessSeller();
  const guard = guardFor(seller, {
    limits: { perPayment: '1', perDay: '5', perTask: '0.01' },
    expect: (url) => (url === PAID ? listing : null),
  });
  const pay = payer(guard.fetch);
  await pay('https://seller.example/other', { headers: { 'X-Assay-Task': 'spent' } });
  const outcomes = [headers, {}].map(async (one, at) => {
    await expect.poll(() => seller.seen).toHaveLength(2 + at);
    return pay(PAID, { headers: one }).then(({ status }) => status, refusalIn);
  });
  await expect.poll(() => seller.seen).toHaveLength(4);
  goOn();
  expect(await Promise.all(outcomes)).toEqual([code, 200]);
});
