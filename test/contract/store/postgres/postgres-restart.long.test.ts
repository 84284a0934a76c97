import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPostgres } from '../../../../src/adapters/store/postgres/open.ts';
import type { Store } from '../../../../src/adapters/store/store.ts';
import { afterNoon, aReceipt, receiptId } from '../../../../tools/samples/store-receipts.ts';
import { type Server, startServer } from '../../../../tools/store-server.ts';
import { ANSWER, aClaim, FROM, prepared } from '../../../support/paying/payments.ts';
import { sized } from '../../../support/sized.ts';

const LANES = 4;
/** Enough for something of every kind to be under way when the server goes. */
const ACKNOWLEDGED = sized(20, 60);
const LIMIT = 1_000_000;
const counter = { key: 'caller', window: '2026-11-15', limit: LIMIT };

/** Whatever fails meanwhile is tried again with the next one; what was acknowledged is written down. */
function busyWith(store: Store) {
  const state = { stopped: false, next: 0 };
  const acknowledged = { receipts: new Set<string>(), uses: [] as number[], payments: new Set<number>() };
  const failed = { reads: 0, writes: 0 };
  const lanes = (work: (n: number) => Promise<void>, count: keyof typeof failed) =>
    Array.from({ length: LANES }, async () => {
      while (!state.stopped) {
        state.next += 1;
        await work(state.next).catch(async () => {
          failed[count] += 1;
          await wait(20);
        });
      }
    });
  const all = [
    ...lanes(async () => {
      await store.receipts.byId(receiptId(0));
    }, 'reads'),
    ...lanes(async (n) => {
      await store.receipts.add(aReceipt({ id: receiptId(n) }), 'key');
      acknowledged.receipts.add(receiptId(n));
    }, 'writes'),
    ...lanes(async () => {
      const { granted, used } = await store.counters.reserve([counter]);
      if (granted) acknowledged.uses.push(used[0] ?? 0);
    }, 'writes'),
    ...lanes(async (n) => {
      const claim = aClaim({ key: `payment ${n}`, holder: `holder ${n}` });
      await store.payments.claim(claim);
      await store.payments.prepare(claim, prepared(n), 'payment', afterNoon(1));
      await store.payments.settle(claim, ANSWER, '0xtx', afterNoon(2));
      acknowledged.payments.add(n);
    }, 'writes'),
  ];
  const size = () =>
    Math.min(acknowledged.receipts.size, acknowledged.uses.length, acknowledged.payments.size);
  return {
    acknowledged,
    failed,
    async more() {
      const enough = size() + ACKNOWLEDGED;
      while (size() < enough) await wait(1);
    },
    async end() {
      state.stopped = true;
      await Promise.all(all);
    },
  };
}

describe('a PostgreSQL server that is busy', () => {
  let server: Server;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.stop());

  it('and is killed, restarted and restarted again loses nothing acknowledged and grants no use twice', async ({
    skip,
  }) => {
    const { url, crash, power } = server;
    if (crash === null || power === null) return skip('the server is not ours to stop');
    const restart = async () => {
      await power.off();
      await power.on();
    };
    const store = await openPostgres({ url });
    await store.receipts.add(aReceipt({ id: receiptId(0) }), 'key');
    const busy = busyWith(store);
    for (const goDown of [crash, restart, restart]) {
      await busy.more();
      await goDown();
    }
    await busy.more();
    await busy.end();

    const { receipts, uses, payments } = busy.acknowledged;
    for (const id of receipts) expect(await store.receipts.byId(id)).toMatchObject({ id });
    expect(new Set(uses).size).toBe(uses.length);
    const { used } = await store.counters.reserve([counter]);
    expect(used[0]).toBeGreaterThan(uses.length);
    for (const n of payments) {
      const request = { key: `payment ${n}`, requestKey: aClaim().requestKey, identifier: null, from: FROM };
      expect(await store.payments.look(request, afterNoon(3))).toMatchObject({
        kind: 'settled',
        answer: ANSWER,
      });
      expect(await store.receipts.byId(receiptId(n))).toMatchObject({ id: receiptId(n) });
    }
    await store.close();
  });

  it('is waited for by a start that comes first, and only so long', async ({ skip }) => {
    const { url, power } = server;
    if (power === null) return skip('the server is not ours to stop');
    await power.off();
    const lines: string[] = [];
    const onWaiting = (line: string) => lines.push(line);
    await expect(openPostgres({ url, atStart: { mostMs: 100, onWaiting } })).rejects.toThrow(
      /^cannot reach the database 127\.0\.0\.1:[0-9]+\/postgres: .*ECONNREFUSED/,
    );
    const opening = openPostgres({ url, atStart: { mostMs: 60_000, onWaiting } });
    await wait(3_000);
    await power.on();
    await (await opening).close();
    const place = /^waiting for the database 127\.0\.0\.1:[0-9]+\/postgres$/;
    expect(lines).toEqual([expect.stringMatching(place)]);
  });

  it('is not waited for when the database does not exist', async () => {
    const url = new URL(server.url);
    url.pathname = '/nothing';
    const lines: string[] = [];
    const atStart = { mostMs: 60_000, onWaiting: (line: string) => lines.push(line) };
    await expect(openPostgres({ url: url.href, atStart })).rejects.toThrow(/nothing" does not exist$/);
    expect(lines).toEqual([]);
  });
});
