import { expect, it } from 'vitest';
import { type Ledger, memoryLedger } from '../../src/guard/index.ts';
import { refusalIn } from '../support/guarding/buyers/measure-purchase.ts';
import { guardFor, inProcessSeller, payer } from '../support/guarding/sellers/in-process-seller.ts';

const URL_SOLD = 'https://seller.example/data';

it('a purchase that another process made between the look at the ledger and the reservation is not made again', async () => {
  const ledger = memoryLedger();
  const seller = inProcessSeller();
  const other = guardFor(seller, { ledger });
  const overtaken: Ledger = {
    ...ledger,
    async reserve(purchase, limits) {
      expect((await payer(other.fetch)(URL_SOLD)).status).toBe(200);
      return ledger.reserve(purchase, limits);
    },
  };
  const guard = guardFor(seller, { ledger: overtaken });
  expect(await payer(guard.fetch)(URL_SOLD).catch(refusalIn)).toBe('bought_already');
  expect(seller.payments()).toBe(1);
  expect((await guard.purchases()).map(({ state }) => state).sort()).toEqual(['delivered', 'expired']);
});

it('a payment whose caller gives up while it is written down is not sent, and no longer counts', async () => {
  const ledger = memoryLedger();
  const giving = new AbortController();
  const slow: Ledger = {
    ...ledger,
    async move(id, move) {
      if (move.to === 'signed') giving.abort();
      return ledger.move(id, move);
    },
  };
  const seller = inProcessSeller();
  const guard = guardFor(seller, { ledger: slow, limits: { perPayment: '0.01', perDay: '0.01' } });
  const call = payer(guard.fetch)(URL_SOLD, { signal: giving.signal });
  await expect(call).rejects.toMatchObject({ name: 'AbortError' });
  expect([seller.payments(), await guard.purchases()]).toMatchObject([0, [{ state: 'expired' }]]);
  expect((await payer(guard.fetch)(URL_SOLD)).status).toBe(200);
});
