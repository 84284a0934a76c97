import { createServer } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../../../src/adapters/store/store.ts';
import { buildTaskIndex } from '../../../../src/core/catalog/task-index.ts';
import { encodeCrawlState } from '../../../../src/core/crawl/crawl-state.ts';
import { microUsd } from '../../../../src/core/money/micro-usd.ts';
import { listenOn } from '../../../../src/main/serve/listen.ts';
import { watchedNumbers } from '../../../../src/main/serve/watched-numbers.ts';
import { aCall } from '../../../../tools/samples/catalog.ts';
import { aRun } from '../../../../tools/samples/crawl-rows.ts';
import { afterNoon, NOON } from '../../../../tools/samples/store-receipts.ts';
import { list, urlsOf } from '../../../support/crawling/crawl-work.ts';
import { appendAll, entriesTo, FIRST_EPOCH, grow, testKeeper } from '../../../support/log/test-log.ts';
import { bringTo } from '../../../support/paying/payments.ts';
import { connectTo } from '../../../support/running/raw-http.ts';
import { startService, type TestService } from '../../../support/running/running-service.ts';
import { SERVICES } from '../../../support/running/served-catalog.ts';
import type { NewPlace, Place } from '../../../support/storing/stores.ts';

/** What a store says about itself, and what /readyz makes of it. */
export function describeHealth(name: string, newPlace: NewPlace): void {
  describe(`health on ${name}`, () => {
    let place: Place;
    let store: Store;
    let service: TestService;
    const clock = { ms: 0 };

    beforeEach(async () => {
      place = await newPlace();
      store = await place.open();
      service = await startService({ place, world: { stopwatch: () => clock.ms } });
    });
    afterEach(() => service.close());

    const parts = () => ({
      logKeeper: testKeeper(store.transparencyLog).keeper,
      index: buildTaskIndex(SERVICES),
    });
    /** A second later, because within one the last answer counts. */
    const ask = async () => {
      clock.ms += 1_000;
      const { status, json } = await service.ask('/readyz');
      return [status, json.code, json.checks];
    };

    it('tells the time', async () => {
      const before = Date.now();
      const told = (await store.health.clock()).getTime();
      // The server may be another machine.
      expect(Math.abs(told - before)).toBeLessThan(60_000);
    });

    it('writes and leaves nothing behind, also when twenty do it at once', async () => {
      await Promise.all(Array.from({ length: 20 }, () => store.health.write()));
      expect(await place.ask('select * from jobs')).toEqual([]);
      expect(await ask()).toEqual([200, undefined, { store: 'ok', schema: 'ok', process: 'ok', log: 'ok' }]);
    });

    it('finds a schema that a newer version has added to, and one that lacks steps', async () => {
      await place.ask("insert into schema_migrations values (999, 'later', 0)");
      expect(await store.health.schema()).toBe('newer');
      expect(await ask()).toEqual([
        200,
        undefined,
        { store: 'ok', schema: 'newer', process: 'ok', log: 'ok' },
      ]);
      await place.ask('delete from schema_migrations where version > 5');
      expect(await store.health.schema()).toBe('older');
      expect(await ask()).toEqual([
        503,
        'not_ready',
        { store: 'ok', schema: 'older', process: 'ok', log: 'ok' },
      ]);
    });

    it('counts payments by state, up to a bound', async () => {
      const stages = ['claimed', 'settling', 'settling', 'unknown', 'rejected', 'settled'] as const;
      for (const [n, stage] of stages.entries()) {
        await bringTo(stage, store.payments, { key: `key ${n}`, holder: `holder ${n}`, identifier: null });
      }
      const counts = { claimed: 1, settling: 2, unknown: 1, rejected: 1, settled: 1 };
      expect(await store.health.payments(9)).toEqual(counts);
      const bounded = await store.health.payments(1);
      expect(Object.values(bounded).reduce((sum, count) => sum + count)).toBe(3);
    });

    it('counts the hosts and URLs that a run has left', async () => {
      const { crawlWork: work, health, runs } = store;
      await runs.begin('run', NOON);
      for (const [host, urls] of [
        ['a', 3],
        ['b', 2],
      ] as const)
        await list(work, 'run', urlsOf(host, urls));
      await work.seal('run');
      expect(await health.crawlLeft('run')).toEqual({ hosts: 2, urls: 5 });
      expect(await health.crawlLeft('other')).toEqual({ hosts: 0, urls: 0 });
      const numbers = watchedNumbers(store, createServer(), { ...parts(), now: () => NOON });
      expect(await numbers.crawlLeft()).toEqual({ hosts: 0, urls: 0 });
      const state = { runId: 'run', phase: 'probing', startedAt: 0, sources: {}, goodSizes: {} } as const;
      const claim = { name: 'crawl', holder: 'me', now: NOON, leaseMs: 1_000 };
      await store.jobs.claim(claim);
      await store.jobs.save(claim, encodeCrawlState({ ...state, previousRunId: null }));
      expect(await numbers.crawlLeft()).toEqual({ hosts: 2, urls: 5 });
    });

    it('knows how old the published run is, and how many are connected', async () => {
      const server = createServer();
      const numbers = watchedNumbers(store, server, { ...parts(), now: () => afterNoon(90_000) });
      expect(await numbers.publishedRunAgeSeconds()).toBeNaN();
      await store.runs.begin('run', NOON);
      await store.runs.publish(aRun('run'), { all: [], skip: [] });
      expect(await numbers.publishedRunAgeSeconds()).toBe(90);
      const address = await listenOn(server, '127.0.0.1', 0);
      const socket = await connectTo(address);
      while ((await numbers.connections()) === 0);
      socket.destroy();
      server.close();
    });

    it('knows how old our newest paid call is', async () => {
      const numbers = watchedNumbers(store, createServer(), { ...parts(), now: () => afterNoon(90_000) });
      expect(await numbers.paidCallAgeSeconds()).toBeNaN();
      const caps = { perDay: microUsd(10_000n), total: microUsd(10_000n) };
      const serviceId = SERVICES[0]?.id ?? '';
      const calledAt = afterNoon(30_000);
      await store.paidCalls.begin({ id: 'a', serviceId, calledAt, amount: microUsd(1n), payTo: '0x1' }, caps);
      await store.paidCalls.finish('a', aCall({ calledAt }), { bodySha256: null, body: null });
      expect(await numbers.paidCallAgeSeconds()).toBe(60);
    });

    it('knows how far the log is, and for how long its published checkpoint has not covered it', async () => {
      const { transparencyLog: log } = store;
      const clock = { now: NOON };
      const { tree } = await log.open(FIRST_EPOCH);
      const numbers = watchedNumbers(store, createServer(), { ...parts(), now: () => clock.now });
      await log.add(entriesTo(3));
      expect(await numbers.transparencyLog()).toMatchObject({ size: 0, waiting: 3, publishedAgeSeconds: 0 });
      await log.append(2, grow);
      clock.now = afterNoon(40_000);
      expect(await numbers.transparencyLog()).toMatchObject({ size: 2, waiting: 1, publishedAgeSeconds: 40 });
      await log.publish(tree, { size: 1, note: 'one' }, false);
      expect(await numbers.transparencyLog()).toMatchObject({ publishedAgeSeconds: 0 });
      clock.now = afterNoon(50_000);
      expect(await numbers.transparencyLog()).toMatchObject({ publishedAgeSeconds: 10 });
      await appendAll(log);
      const { oldestWaitingSeconds, ...rest } = await numbers.transparencyLog();
      expect(oldestWaitingSeconds).toBe(0);
      expect(rest).toEqual({ size: 3, waiting: 0, publishedAgeSeconds: 0 });
    });

    it('finds tables that are gone', async () => {
      await place.ask('drop table schema_migrations');
      await expect(store.health.schema()).rejects.toThrow();
      expect(await ask()).toEqual([
        503,
        'not_ready',
        { store: 'ok', schema: 'unknown', process: 'ok', log: 'ok' },
      ]);
      await place.ask('drop table jobs');
      expect(await ask()).toMatchObject([503, 'store_unavailable', { store: 'failed' }]);
    });
  });
}
