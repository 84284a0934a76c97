import { expect, it, vi } from 'vitest';
import { refusalIn } from '../support/guarding/buyers/measure-purchase.ts';
import { guardFor, inProcessSeller, payer } from '../support/guarding/sellers/in-process-seller.ts';
import { holdTimers } from '../support/probing/held-timers.ts';

const PAID = 'https://seller.example/paid';

it.each(['expect', 'approve'])('a silent %s refuses all who wait for it', async (name) => {
  const timers = holdTimers();
  const silent = vi.fn(() => new Promise<never>(() => {}));
  const seller = inProcessSeller();
  const pay = payer(guardFor(seller, { [name]: silent }).fetch);
  const outcomes: unknown[] = [];
  const buy = () => void pay(PAID).catch((fault: unknown) => outcomes.push(refusalIn(fault)));
  buy();
  await expect.poll(() => silent.mock.calls).toHaveLength(1);
  buy();
  await expect.poll(() => seller.seen).toHaveLength(2);
  timers.runOut();
  await expect.poll(() => outcomes).toEqual(['not_approved', 'not_approved']);
  expect(seller.payments()).toBe(0);
});
