import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../../../src/adapters/store/store.ts';
import { urlKeyOf } from '../../../../src/core/keyed-hash.ts';
import { crawl } from '../../../../src/flows/crawl/crawl.ts';
import { listed } from '../../../../tools/samples/listed.ts';
import { EXEMPT, SPOT_CHECK } from '../../../support/asking.ts';
import { startWatchedSeller, type WatchedSeller } from '../../../support/crawling/crawl-child.ts';
import { listOf, startCrawlWorld } from '../../../support/crawling/crawl-world.ts';
import { CHILD_SECRET, type ChargingChild, checkingChild } from '../../../support/paying/charging-child.ts';
import { probingHarness } from '../../../support/probing/probing.ts';
import type { Received } from '../../../support/running/running-service.ts';
import { sized } from '../../../support/sized.ts';
import { usePostgres } from '../../../support/storing/postgres-places.ts';
import type { Place } from '../../../support/storing/stores.ts';

/** Long enough that requests overlap on a busy machine, if they may. */
const ANSWER_AFTER_MS = { usual: 200, slow: 3_000 };

const DIFFERENT = sized(40, 100);
const LISTED = sized(30, 60);

const newPlace = usePostgres();
const closing: (() => Promise<unknown>)[] = [];

/** What a target sees of several processes on one store; measured at the target. */
describe('two services on one PostgreSQL (G38, G76)', () => {
  let place: Place;
  let store: Store;
  let seller: WatchedSeller;
  let services: readonly [ChargingChild, ChargingChild];

  beforeEach(async () => {
    place = await newPlace();
    closing.push(place.remove);
    store = await place.open();
    seller = await startWatchedSeller(
      (path) => ANSWER_AFTER_MS[path.startsWith('/slow/') ? 'slow' : 'usual'],
    );
    closing.push(seller.close);
    services = [checkingChild(place, seller.port), checkingChild(place, seller.port)];
    for (const service of services) {
      closing.push(async () => {
        service.signal('SIGKILL');
        await service.ended();
      });
    }
    await Promise.all(services.map((service) => service.go()));
  });
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  const check = (n: number, path: string): Promise<Received> =>
    (services[n % 2] ?? services[0]).ask(`${SPOT_CHECK}?url=http://shop.example/${path}`, {
      headers: EXEMPT,
    });
  /** Comes back for as long as the target is busy. */
  const untilAnswered = async (n: number, path: string): Promise<Received> => {
    for (;;) {
      const answer = await check(n, path);
      if (answer.status !== 429) return answer;
      // All of them ask from one address, which may have 20 requests under way (gap G102).
      expect(['target_busy', 'address_busy']).toContain(answer.json.code);
      expect(Number(answer.header('retry-after'))).toBeGreaterThan(0);
      await new Promise((done) => setTimeout(done, 100 + 30 * (n % 7)));
    }
  };
  const heldRows = () => place.ask('select target_key, holder, until from target_slots');

  it('never ask one host for more than three things at a time, and leave nothing behind', async () => {
    const answers = await Promise.all(
      Array.from({ length: DIFFERENT }, (_, n) => untilAnswered(n, `pay/different-${n}`)),
    );
    expect(new Set(answers.map(({ status, json }) => `${status} ${json.verdict}`))).toEqual(
      new Set(['200 pay']),
    );
    expect([2, 3]).toContain(seller.mostPerHost());
    expect([...seller.asked.values()].filter((times) => times !== 1)).toEqual([]);
    expect(seller.asked.size).toBe(DIFFERENT);
    // A slot is freed before its answer is sent (gap L79).
    expect(await heldRows()).toEqual([]);
    const [{ deadlocks } = {}] = await place.ask(
      'select deadlocks from pg_stat_database where datname = current_database()',
    );
    expect(Number(deadlocks)).toBe(0);
  }, 120_000);

  it('ask one URL once for 100 callers, and all of them get what it said', async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, (_, n) => untilAnswered(n, 'pay/same')));
    expect(answers.filter(({ status, json }) => status === 200 && json.verdict === 'pay')).toHaveLength(100);
    expect([...seller.asked]).toEqual([['/pay/same', 1]]);
    expect(answers.filter(({ json }) => !json.probe.cached)).toHaveLength(1);
  }, 120_000);

  it('share three slots with the crawl of the host, which leaves one to them', async () => {
    const rows = Array.from({ length: LISTED }, (_, n) => listed(`http://shop.example/pay/listed-${n}`));
    const world = await startCrawlWorld([listOf('list', rows)]);
    closing.push(world.close);
    const { openHost } = probingHarness(seller.port, { timeoutMs: 30_000 });
    const crawling = crawl(
      { always: false },
      world.parts(store, { openHost, keyOf: urlKeyOf(CHILD_SECRET) }),
    );
    const state = { isOver: false, whileCrawled: 0 };
    const ended = crawling.finally(() => {
      state.isOver = true;
    });
    const callers = Array.from({ length: 4 }, async (_, caller) => {
      for (let n = 0; !state.isOver; n += 1) {
        const { status } = await untilAnswered(caller, `pay/asked-${caller}-${n}`);
        expect(status).toBe(200);
        if (!state.isOver) state.whileCrawled += 1;
      }
    });
    expect((await ended).kind).toBe('published');
    await Promise.all(callers);
    expect([2, 3]).toContain(seller.mostPerHost());
    expect(state.whileCrawled).toBeGreaterThan(2);
    expect([...seller.asked.keys()].filter((path) => path.startsWith('/pay/listed-'))).toHaveLength(LISTED);
    expect([...seller.asked.values()].filter((times) => times !== 1)).toEqual([]);
  }, 180_000);

  it('free the slots of one that was killed when their leases are over, and not before', async () => {
    const dying = [1, 2, 3].map((n) => check(0, `slow/${n}`).catch(() => null));
    while (seller.asked.size < 3) await new Promise((done) => setTimeout(done, 5));
    services[0].signal('SIGKILL');
    await Promise.all([...dying, services[0].ended()]);
    const busy = await check(1, 'pay/other');
    expect([busy.status, busy.json.code]).toEqual([429, 'target_busy']);
    await runOut(place);
    expect((await check(1, 'pay/other')).json.verdict).toBe('pay');
    expect(seller.asked.size).toBe(4);
  }, 120_000);
});

/** As if all leases were over, which takes 15 seconds. */
async function runOut(place: Place): Promise<void> {
  // Three of the host, and three of its address.
  const rows = await place.ask('select until from target_slots');
  expect(rows).toHaveLength(6);
  for (const { until } of rows) expect(Number(until) - Date.now()).toBeLessThan(15_000);
  await place.ask('update target_slots set until = 0');
}
