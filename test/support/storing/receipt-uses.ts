import type { Store } from '../../../src/adapters/store/store.ts';
import { newestPosition } from '../../../src/core/receipt/cursor.ts';
import { afterNoon, aReceipt, NOON, receiptId } from '../../../tools/samples/store-receipts.ts';

const POSITION = { checkedAt: NOON, id: receiptId(1) };

export const RECEIPT_USES: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
  receipts: async ({ receipts }) => {
    await receipts.add(aReceipt(), 'key');
    await receipts.byId('id');
    await receipts.statement('id');
    for (const ref of [null, 'ref']) await receipts.page({ type: 'live', ref }, newestPosition(NOON), 9);
    for (const ref of [null, 'ref']) await receipts.page({ type: 'live', ref }, POSITION, 9);
    const wanted = { mode: 'live', limit: 9, now: NOON } as const;
    await receipts.latestOf('key', wanted);
    const asked = { url: 'https://a.example/x', method: 'GET', isNeutral: true } as const;
    await receipts.latestAsked('key', asked, wanted);
  },
  receiptWeeks: async ({ receiptWeeks }) => {
    await receiptWeeks.prepare(NOON);
    await receiptWeeks.ahead(9);
    await receiptWeeks.oldest(NOON);
    await receiptWeeks.remove(['id']);
    await receiptWeeks.droppable(NOON);
    const time = { from: NOON, to: afterNoon(9) };
    for (const above of [null, POSITION]) await receiptWeeks.read('live', time, above, 9);
  },
};
