import type { Store } from '../../../src/adapters/store/store.ts';
import { aRun, crawlId, statedRow } from '../../../tools/samples/crawl-rows.ts';
import { aReceipt, NOON, receiptId } from '../../../tools/samples/store-receipts.ts';
import { anEntry, entriesTo, FIRST_EPOCH, grow } from '../log/test-log.ts';

/** Every method of the parts of the store that are about the log. */
export const LOG_USES: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
  transparencyLog: async ({ transparencyLog: log }) => {
    const { tree, key } = await log.open(FIRST_EPOCH);
    await log.add(entriesTo(3));
    await log.backlog();
    for (let time = 0; time < 2; time += 1) await log.append(9, grow);
    await log.entries(tree, 0, 9);
    await log.tile(tree, { level: 0, index: 0, width: 3 });
    await log.keepTiles(tree, [{ tile: { level: 0, index: 0, width: 3 }, bytes: new Uint8Array(96) }]);
    await log.place(anEntry(1).id);
    await log.publish(tree, { size: 3, note: 'note' }, false);
    await log.publish(tree, { size: 3, note: 'note' }, true);
    await log.changeKeys(tree, key, 'key', anEntry(9));
    await log.beginEpoch({ origin: 'next', key: '' }, () => anEntry(8));
    await Promise.all([log.current(), log.head(tree), log.epochs(), log.runHeads()]);
    await Promise.all([
      log.placeInRun('0123456789'),
      log.runEntries('run', 0, 9),
      log.runStatements('run', 0, 9),
    ]);
    await log.runStatement('run');
  },
  withdrawals: async ({ withdrawals, receipts, runs }) => {
    await runs.begin('withdrawn', NOON);
    await runs.add('withdrawn', [statedRow(951), statedRow(952)]);
    await runs.publish(aRun('withdrawn'), { all: [], skip: [] });
    await withdrawals.sameUrl(crawlId(951), 9);
    await withdrawals.withdraw(crawlId(952), 'error', NOON);
    await receipts.add(aReceipt({ id: receiptId(950) }), 'key');
    await receipts.statements([receiptId(950)]);
    await withdrawals.withdraw(receiptId(950), 'error', NOON);
    await withdrawals.find(receiptId(950));
    await withdrawals.among([receiptId(950)]);
    await withdrawals.counts();
  },
  corrections: async ({ corrections }) => {
    const correction = { receiptId: receiptId(960), at: NOON, was: 'pay', is: 'skip', because: 'x' } as const;
    await corrections.add(correction);
    await corrections.of(receiptId(960));
    await corrections.newest(0, 9);
  },
};
