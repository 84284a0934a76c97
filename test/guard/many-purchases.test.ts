import { beforeEach, describe, expect, it } from 'vitest';
import { type Guard, type Ledger, memoryLedger } from '../../src/guard/index.ts';
import type { Purchase, PurchaseState } from '../../src/guard/ledger/purchase.ts';
import { ENTRY, paywall } from '../../tools/samples/challenge.ts';
import { refusalIn } from '../support/guarding/buyers/measure-purchase.ts';
import { aPurchase } from '../support/guarding/buyers/purchases.ts';
import { guardFor, inProcessSeller, payer } from '../support/guarding/sellers/in-process-seller.ts';

const URL_SOLD = 'https://seller.example/data';
/** More than a search answers by itself. */
const MANY = 101;

describe('after many other purchases of the same request', () => {
  let ledger: Ledger;
  let guard: Guard;
  let price: string;
  const seller = inProcessSeller(() => paywall([{ ...ENTRY, amount: price }]));
  const buy = (name: string) =>
    payer(guard.fetch)(URL_SOLD, { headers: { 'X-Assay-Purchase': name } }).then(
      ({ status }) => status,
      refusalIn,
    );
  const addMany = async (state: PurchaseState, like: Pick<Purchase, 'request' | 'endpoint'>) => {
    const createdAt = new Date(Date.now() + 1_000);
    const { request, endpoint } = like;
    for (let n = 0; n < MANY; n += 1) {
      const id = `other ${n}`;
      await ledger.reserve(aPurchase({ id, request, endpoint, name: id, createdAt }), []);
      await ledger.move(id, { from: ['reserved'], to: state, at: createdAt });
    }
  };

  beforeEach(async () => {
    ledger = memoryLedger();
    guard = guardFor(seller, { ledger, expect: () => ({ payTo: ENTRY.payTo }) });
    price = '10000';
    expect(await buy('order-1')).toBe(200);
  });

  it('a named one is still bought already', async () => {
    const [first] = await ledger.find({});
    if (first === undefined) throw new Error('nothing was bought');
    await addMany('delivered', first);
    expect(await buy('order-1')).toBe('bought_already');
  });

  it('a higher price than at the last delivery is still seen', async () => {
    const [first] = await ledger.find({});
    if (first === undefined) throw new Error('nothing was bought');
    await addMany('paid_undelivered', first);
    price = '20000';
    expect(await buy('order-2')).toBe('terms_changed');
  });
});
