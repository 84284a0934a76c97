import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Queries } from '../../../../src/adapters/store/engine/tables.ts';
import { migrate } from '../../../../src/adapters/store/migrations/migrate.ts';
import type { Connected } from '../../../../src/adapters/store/store.ts';
import { gate } from '../../../support/paying/paying-buyer.ts';
import { usePostgres } from '../../../support/storing/postgres-places.ts';
import type { Place } from '../../../support/storing/stores.ts';

const newPlace = usePostgres();

describe('writes that stand in each other’s way on PostgreSQL', () => {
  let place: Place;
  let connected: Connected;
  beforeAll(async () => {
    place = await newPlace();
    connected = await place.connect();
    await migrate(connected);
    await place.ask("insert into counters (\"window\", key, used) values ('w', 'a', 0), ('w', 'b', 0)");
  });
  afterAll(async () => {
    await connected.database.destroy();
    await place.remove();
  });

  const raise = (queries: Queries, key: string) =>
    sql`update counters set used = used + 1 where key = ${key}`.execute(queries);

  it('are all kept, although the server has to undo one of them', async () => {
    const [hasA, hasB, isKept] = [gate(), gate(), gate()];
    const runs = { one: 0, two: 0 };
    const one = connected.writes.unit(async (queries) => {
      runs.one += 1;
      // The second attempt comes after the other write: it could win the first row again and collide once more.
      if (runs.one > 1) await isKept.opened;
      await raise(queries, 'a');
      hasA.open();
      await hasB.opened;
      await raise(queries, 'b');
    });
    const two = connected.writes.unit(async (queries) => {
      runs.two += 1;
      if (runs.two > 1) await isKept.opened;
      await raise(queries, 'b');
      hasB.open();
      await hasA.opened;
      await raise(queries, 'a');
    });
    await Promise.race([one, two]);
    isKept.open();
    await Promise.all([one, two]);
    expect(runs.one + runs.two).toBe(3);
    expect(await place.ask('select key, used from counters order by key')).toEqual([
      { key: 'a', used: 2 },
      { key: 'b', used: 2 },
    ]);
  });

  it('are not tried for ever', async () => {
    let runs = 0;
    const hopeless = connected.writes.unit(async (queries) => {
      runs += 1;
      await sql`do $$ begin raise exception using errcode = '40001'; end $$`.execute(queries);
    });
    await expect(hopeless).rejects.toThrow();
    expect(runs).toBe(4);
  });

  it('are not tried again when they are wrong', async () => {
    let runs = 0;
    const wrong = connected.writes.unit(async (queries) => {
      runs += 1;
      await sql`select nothing_of_this_name`.execute(queries);
    });
    await expect(wrong).rejects.toThrow();
    expect(runs).toBe(1);
  });
});
