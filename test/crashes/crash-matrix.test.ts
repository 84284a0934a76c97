import { describe, expect, it } from 'vitest';
import { pruneStores } from '../../src/flows/operate/prune-stores.ts';
import { ledgerRows, SALES, until } from '../support/paying/charging-crash.ts';
import { expectDelivered } from '../support/paying/paying-answers.ts';
import { chainOfTheFile, takings } from '../support/paying/paying-chain.ts';
import { newSqlitePlace } from '../support/storing/stores.ts';
import { describeCrashMatrix, useCrash, useRelay } from './describe-crash-matrix.ts';

const chain = await chainOfTheFile();
const HOUR_MS = 3_600_000;

const relayOf = useRelay(chain, newSqlitePlace);
describeCrashMatrix('SQLite', chain, relayOf);

describe.each([
  ['C-01', 'prepared'],
  ['C-02', 'settled'],
] as const)('%s: a process is killed after a charge was %s, and nobody asks again', (_, step) => {
  const crashed = useCrash(step, chain, relayOf);

  it('the next process settles it by itself, once', async () => {
    const { crash, place, since, next, newReceipts } = crashed();
    await next();
    const rows = () => ledgerRows(place, [...crash.orders.values()]);
    await until(async () => (await rows()).every(({ state }) => state === 'settled'));
    const taken = (await takings(chain)).slice(since);
    expect((await rows()).map(({ tx }) => tx).sort()).toEqual(taken.map(({ tx }) => tx).sort());
    expect([taken.length, (await newReceipts()).length]).toEqual([3, 1]);
  });

  it('the answers are there for a day', async () => {
    const { place, orderOf, since, next } = crashed();
    const { ask } = await next();
    const store = await place.open();
    const askAll = () =>
      Promise.all(SALES.map(([what]) => orderOf(what)).map(({ path, sent }) => ask(path, sent)));
    await pruneStores(store, new Date(Date.now() + 24 * HOUR_MS - 60_000));
    for (const [index, answer] of (await askAll()).entries()) {
      const [what = '', sale] = SALES[index] ?? [];
      await expectDelivered(chain, { answer, signed: orderOf(what).signed }, sale?.usd ?? '');
    }
    // The clocks of the processes are minutes ahead.
    await pruneStores(store, new Date(Date.now() + 25 * HOUR_MS));
    const forgotten = (await askAll()).map(({ status, json }) => [status, json.code]);
    expect(forgotten).toEqual([1, 2, 3].map(() => [409, 'payment_reused']));
    expect((await takings(chain)).slice(since)).toHaveLength(3);
  });
});
