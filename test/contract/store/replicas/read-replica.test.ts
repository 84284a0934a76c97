import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPostgres } from '../../../../src/adapters/store/postgres/open.ts';
import type { ReplicaState } from '../../../../src/adapters/store/replica/follow-primary.ts';
import { pageReads } from '../../../../src/adapters/store/replica/page-reads.ts';
import { openReadReplica, type ReadReplica } from '../../../../src/adapters/store/replica/read-replica.ts';
import type { Store } from '../../../../src/adapters/store/store.ts';
import { newestPosition } from '../../../../src/core/receipt/cursor.ts';
import type { PageReads } from '../../../../src/ports/crawl-runs.ts';
import { aRun, crawlRow, NO_PAGES, unpublished } from '../../../../tools/samples/crawl-rows.ts';
import { aReceipt, NOON, receiptId } from '../../../../tools/samples/store-receipts.ts';
import { startStandby } from '../../../../tools/standby-server.ts';
import { startServer } from '../../../../tools/store-server.ts';
import { examined, SECRET } from '../../../support/operating/examining.ts';
import { CAN_REPLICATE, useReplicated } from '../../../support/storing/replicated.ts';

describe.runIf(CAN_REPLICATE)('a read replica', () => {
  const replicated = useReplicated();

  describe('beside its primary', () => {
    let store: Store;
    let replica: ReadReplica;
    let pages: PageReads;
    let states: ReplicaState[];
    const clock = { ms: 0 };

    beforeEach(async () => {
      const urls = await replicated.newDatabase();
      store = await openPostgres({ url: urls.primary });
      states = [];
      const onState = (state: ReplicaState) => states.push(state);
      replica = openReadReplica({
        ...{ url: urls.replica, poolSize: 2, primary: store.health, stopwatch: () => clock.ms, onState },
      });
      pages = pageReads(store, replica);
      await unpublished(store.runs, 'first', [crawlRow(1)]);
      await store.runs.publish(aRun('first'), NO_PAGES);
      await expect.poll(() => replica.look()).toBe('current');
      states.splice(0);
      // What comes from here on, the standby gets and does not show.
      await replicated.wait(false);
    });
    afterEach(async () => {
      await replicated.standby.resume().catch(() => {});
      await replicated.wait(true);
      await replica.close();
      await store.close();
    });

    const latestId = async () => (await pages.runs.latest())?.id;
    const publishSecond = async () => {
      await unpublished(store.runs, 'second', [crawlRow(2)]);
      await store.runs.publish(aRun('second', 1), NO_PAGES);
    };
    const lookLater = (ms: number) => {
      clock.ms += ms;
      return replica.look();
    };

    it('answers for five seconds at most without what the primary has, and again once it has it', async () => {
      await replicated.standby.pause();
      await publishSecond();
      expect(await latestId()).toBe('first');
      expect(await lookLater(4_000)).toBe('current');
      expect(await latestId()).toBe('first');
      expect(await lookLater(1_001)).toBe('behind');
      expect(await latestId()).toBe('second');
      await replicated.standby.resume();
      await expect.poll(() => lookLater(1)).toBe('current');
      await expect.poll(async () => (await replica.runs.latest())?.id).toBe('second');
      expect(states).toEqual(['behind', 'current']);
    });

    it('is not asked about a run that it does not show yet, which would look empty', async () => {
      await replicated.standby.pause();
      await publishSecond();
      expect(await pages.runs.page('second', 'all', 1)).toMatchObject([{ id: crawlRow(2).receipt.id }]);
      expect(await pages.runs.page('first', 'all', 1)).toMatchObject([{ id: crawlRow(1).receipt.id }]);
    });

    it('lists receipts, while one by its id comes from the primary', async () => {
      await replicated.standby.pause();
      await store.receipts.add(aReceipt({ id: receiptId(1), mode: 'live' }), 'key');
      expect(await pages.receipts.page({ type: 'live', ref: null }, newestPosition(NOON), 5)).toEqual([]);
      expect(await store.receipts.byId(receiptId(1))).toMatchObject({ id: receiptId(1) });
    });

    it('of a database in which nothing happens stays current', async () => {
      for (let hour = 0; hour < 3; hour += 1) {
        clock.ms += 3_600_000;
        await expect.poll(() => replica.look()).toBe('current');
        expect(replica.isCurrent()).toBe(true);
      }
    });

    it('that answers a read with a fault is not asked until the next look', async () => {
      const broken: ReadReplica = {
        ...replica,
        runs: { ...replica.runs, latest: () => Promise.reject(new Error('gone')) },
      };
      const beside = pageReads(store, broken);
      expect(await beside.runs.latest()).toMatchObject({ id: 'first' });
      expect(replica.isCurrent()).toBe(false);
      await expect.poll(() => replica.look()).toBe('current');
    });

    it('that takes too long fails, because the primary would take as long', async () => {
      const client = new Client({ connectionString: replicated.server.url, statement_timeout: 1 });
      await client.connect();
      const late = await client.query('select pg_sleep(1)').catch((fault: unknown) => fault);
      await client.end();
      const slow: ReadReplica = { ...replica, runs: { ...replica.runs, latest: () => Promise.reject(late) } };
      await expect(pageReads(store, slow).runs.latest()).rejects.toBe(late);
      expect(replica.isCurrent()).toBe(true);
    });

    it('is not used when it is another database, or no standby', async () => {
      const another = await replicated.newDatabase();
      for (const url of [another.replica, another.primary, replicated.database('postgres').primary]) {
        const wrong = openReadReplica({ url, poolSize: 1, primary: store.health, stopwatch: () => clock.ms });
        await expect.poll(() => wrong.look()).toBe('other');
        expect(wrong.isCurrent()).toBe(false);
        await wrong.close();
      }
    });

    it('is not used beside a store that nothing can follow', async () => {
      const lone = openReadReplica({
        ...{ url: replicated.database('postgres').replica, poolSize: 1, stopwatch: () => clock.ms },
        primary: { written: async () => null },
      });
      expect(await lone.look()).toBe('other');
      await lone.close();
    });

    it('is looked at by assay doctor', async () => {
      const there = [
        replicated.database('migrated').replica,
        replicated.database('migrated').primary,
        replicated.database('postgres').replica,
        'postgres://127.0.0.1:1/x',
      ];
      const looks = there.map(async (url) => {
        const finding = await examined({
          DATABASE_URL: replicated.database('migrated').primary,
          DATABASE_READ_URL: url,
          SECRET,
        });
        return finding('read replica').says;
      });
      expect(await Promise.all(looks)).toEqual([
        'has what was committed a moment ago',
        'it is not a standby of DATABASE_URL',
        'it is not a standby of DATABASE_URL',
        'it, or the database, does not answer',
      ]);
    });

    it('can be looked at by a role that owns nothing but the database', async () => {
      await replicated.admin.query("create role plain login password 'plain'");
      const url = Object.assign(new URL(replicated.database('migrated').primary), { username: 'plain' }).href;
      const client = new Client({ connectionString: url });
      await client.connect();
      const { rows } = await client.query(
        'select system_identifier, pg_current_wal_flush_lsn() from pg_control_system()',
      );
      expect(rows).toHaveLength(1);
      await client.end();
    });

    it('that is away costs nobody anything', async () => {
      const away = openReadReplica({
        ...{ url: 'postgres://postgres@127.0.0.1:1/pages', poolSize: 1 },
        ...{ primary: store.health, stopwatch: () => clock.ms },
      });
      expect(await away.look()).toBe('away');
      expect(await pageReads(store, away).runs.latest()).toMatchObject({ id: 'first' });
      await away.close();
    });
  });

  it('that became a primary itself is not used', async () => {
    const other = await startServer();
    const follower = await startStandby(other.url);
    const store = await openPostgres({ url: other.url });
    const clock = { ms: 0 };
    const replica = openReadReplica({
      ...{ url: follower.url, poolSize: 1, primary: store.health, stopwatch: () => clock.ms },
    });
    await expect.poll(() => replica.look()).toBe('current');
    await follower.promote();
    clock.ms += 1_000;
    expect(await replica.look()).toBe('other');
    await replica.close();
    await store.close();
    await follower.stop();
    await other.stop();
  }, 60_000);
});
