import { describe, expect, it } from 'vitest';
import { migrate } from '../../../../src/adapters/store/migrations/migrate.ts';
import { connectPostgres } from '../../../../src/adapters/store/postgres/open.ts';
import { connectSqlite } from '../../../../src/adapters/store/sqlite/open.ts';
import { storeOn } from '../../../../src/adapters/store/store.ts';
import { usePostgres } from '../../../support/storing/postgres-places.ts';
import { newSqlitePlace } from '../../../support/storing/stores.ts';
import { describeHealth } from './describe-health.ts';

const newPostgres = usePostgres();
describeHealth('SQLite', newSqlitePlace);
describeHealth('PostgreSQL', newPostgres);

describe('a store that can be read and not written to', () => {
  it('is found out on an SQLite file that became read-only', async () => {
    const place = await newSqlitePlace();
    if ('url' in place.settings) throw new Error('no file');
    const connected = await connectSqlite(place.settings.file);
    await migrate(connected);
    const { health, runs, close } = storeOn(connected);
    connected.control('pragma query_only = on');
    expect(await runs.latest()).toBeNull();
    await expect(health.write()).rejects.toThrow(/readonly/);
    connected.control('pragma query_only = off');
    await health.write();
    await close();
    await place.remove();
  });

  it('is found out on a PostgreSQL server that takes no writes, as a standby does', async () => {
    const place = await newPostgres();
    await (await place.open()).close();
    if ('file' in place.settings) throw new Error('no server');
    const url = new URL(place.settings.url);
    const options = url.searchParams.get('options') ?? '';
    url.searchParams.set('options', `${options} -c default_transaction_read_only=on`);
    const { health, runs, close } = storeOn(connectPostgres({ url: url.href }));
    expect(await runs.latest()).toBeNull();
    await expect(health.write()).rejects.toThrow(/read-only transaction/);
    await close();
    await place.remove();
  });
});
