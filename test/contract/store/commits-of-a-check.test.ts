import { describe, expect, it } from 'vitest';
import type { Writes } from '../../../src/adapters/store/engine/writes.ts';
import { storeOn } from '../../../src/adapters/store/store.ts';
import { checkOf } from '../../support/asking.ts';
import { startService } from '../../support/running/running-service.ts';
import { usePostgres } from '../../support/storing/postgres-places.ts';
import { type NewPlace, newSqlitePlace } from '../../support/storing/stores.ts';

const newPostgresPlace = usePostgres();

/** Every durable write is one commit, or a part of one. */
function countingWrites(writes: Writes) {
  const seen = { commits: 0 };
  const counting: Writes = {
    ...writes,
    one(...asked) {
      seen.commits += 1;
      return writes.one(...asked);
    },
    unit(...asked) {
      seen.commits += 1;
      return writes.unit(...asked);
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
  return { service, commitsOf };
}

describe.each([
  ['SQLite', newSqlitePlace],
  ['PostgreSQL', newPostgresPlace],
] as const)('what a check writes to %s', (_engine, newPlace) => {
  it('is one commit before a new probe and one after it, or one in all', async () => {
    const { service, commitsOf } = await serviceThatCounts(newPlace);
    const url = 'http://shop.example.com/honest';
    expect(await commitsOf(checkOf(url))).toBe(2);
    expect(await commitsOf(checkOf(url))).toBe(1);
    expect(await commitsOf(checkOf(url, { mode: 'dry-run' }))).toBe(1);
    expect(await commitsOf(checkOf('http://other.example.com/honest', { mode: 'dry-run' }))).toBe(2);
    await service.close();
  });
});
