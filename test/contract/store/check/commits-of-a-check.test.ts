import { describe, expect, it } from 'vitest';
import type { Queries } from '../../../../src/adapters/store/engine/tables.ts';
import type { Writes } from '../../../../src/adapters/store/engine/writes.ts';
import { storeOn } from '../../../../src/adapters/store/store.ts';
import { checkOf } from '../../../support/asking.ts';
import { startService } from '../../../support/running/running-service.ts';
import { usePostgres } from '../../../support/storing/postgres-places.ts';
import { type NewPlace, newSqlitePlace } from '../../../support/storing/stores.ts';

const newPostgresPlace = usePostgres();
const BEGIN_AND_COMMIT = 2;

/** Every durable write is one commit, or a part of one. */
function countingWrites(writes: Writes) {
  const seen = { commits: 0, queries: 0 };
  const countingQueries = (queries: Queries) =>
    new Proxy(queries, {
      get(target, name) {
        if (name === 'executeQuery') seen.queries += 1;
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  const counting: Writes = {
    ...writes,
    one(work, options) {
      seen.commits += 1;
      seen.queries = 0;
      return writes.one((queries) => work(countingQueries(queries)), options);
    },
    unit(work, options) {
      seen.commits += 1;
      seen.queries = BEGIN_AND_COMMIT;
      return writes.unit((queries) => work(countingQueries(queries)), options);
    },
  };
  return { seen, counting };
}

async function serviceThatCounts(newPlace: NewPlace) {
  const place = await newPlace();
  const connected = await place.connect();
  const { seen, counting } = countingWrites(connected.writes);
  const store = storeOn({ ...connected, writes: counting });
  const service = await startService({
    place: {
      ...place,
      open: async () => store,
      async remove() {
        await store.close();
        await place.remove();
      },
    },
  });
  const commitsOf = async (path: string) => {
    seen.commits = 0;
    expect((await service.ask(path)).status).toBe(200);
    return seen.commits;
  };
  return { service, commitsOf, seen };
}

/** Each query is a round trip to a server. */
describe.each([
  ['SQLite', newSqlitePlace, 6],
  ['PostgreSQL', newPostgresPlace, 1],
] as const)('what a check writes to %s', (_engine, newPlace, queriesAtEnd) => {
  it('is one commit before a new probe and one after it, or one in all', async () => {
    const { service, commitsOf } = await serviceThatCounts(newPlace);
    const url = 'http://shop.example.com/honest';
    expect(await commitsOf(checkOf(url))).toBe(2);
    expect(await commitsOf(checkOf(url))).toBe(1);
    expect(await commitsOf(checkOf(url, { mode: 'dry-run' }))).toBe(1);
    expect(await commitsOf(checkOf('http://other.example.com/honest', { mode: 'dry-run' }))).toBe(2);
    await service.close();
  });

  it(`ends a new probe with ${queriesAtEnd === 1 ? 'one query' : `${queriesAtEnd} queries`}`, async () => {
    const { service, commitsOf, seen } = await serviceThatCounts(newPlace);
    expect(await commitsOf(checkOf('http://shop.example.com/honest'))).toBe(2);
    expect(seen.queries).toBe(queriesAtEnd);
    await service.close();
  });
});
