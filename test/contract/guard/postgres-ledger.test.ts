import { Pool } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { postgresLedger } from '../../../src/guard/ledger/postgres-ledger.ts';
import { aDayLimit, aPurchase, NOON } from '../../support/guarding/buyers/purchases.ts';
import { useEmptyPostgres } from '../../support/storing/postgres-places.ts';
import type { Place } from '../../support/storing/stores.ts';

const newPlace = useEmptyPostgres();

describe('a ledger in PostgreSQL', () => {
  let place: Place;
  let pool: Pool;

  beforeEach(async () => {
    place = await newPlace();
    pool = new Pool({ connectionString: 'url' in place.settings ? place.settings.url : '', max: 4 });
  });
  afterEach(async () => {
    await pool.end();
    await place.remove();
  });

  it('uses the pool of the program and leaves it open', async () => {
    const ledger = postgresLedger({ pool });
    await ledger.reserve(aPurchase({ id: 'a' }), []);
    await ledger.close();
    expect((await pool.query('select id from assay_guard_purchase_main')).rows).toEqual([{ id: 'a' }]);
  });

  it('shares nothing with a ledger of another name', async () => {
    const [one, other] = [postgresLedger({ pool, name: 'one' }), postgresLedger({ pool, name: 'other' })];
    await one.reserve(aPurchase({ id: 'a', key: 'key' }), []);
    await one.freeze(true);
    expect(await other.frozen()).toBe(false);
    expect(await other.reserve(aPurchase({ id: 'a', key: 'key' }), [aDayLimit(10_000n)])).toEqual({
      kind: 'reserved',
    });
  });

  it.each(['', 'Main', 'a-b', "a'", 'x'.repeat(31)])('is not named %j', (name) => {
    expect(() => postgresLedger({ pool, name })).toThrow('the name of a ledger is 1 to 30 of a-z, 0-9 and _');
  });

  it('is refused when a newer release wrote it', async () => {
    await postgresLedger({ pool }).frozen();
    await pool.query('update assay_guard_ledger set format = 2');
    await expect(postgresLedger({ pool }).open('key')).rejects.toThrow(
      'the ledger main in PostgreSQL: a newer release wrote it (format 2)',
    );
  });

  it('counts what was committed while it waited, whatever isolation the server prefers', async () => {
    const strict = new URL(pool.options.connectionString ?? '');
    const options = `${strict.searchParams.get('options')} -c default_transaction_isolation=serializable`;
    strict.searchParams.set('options', options);
    const eager = new Pool({ connectionString: strict.href });
    try {
      const ledger = postgresLedger({ pool: eager });
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, n) => ledger.reserve(aPurchase({ id: `p${n}` }), [aDayLimit(30_000n)])),
      );
      expect(answers.filter(({ kind }) => kind === 'reserved')).toHaveLength(3);
    } finally {
      await eager.end();
    }
  });

  it('leaves no transaction behind when a call fails', async () => {
    const ledger = postgresLedger({ pool });
    await ledger.reserve(aPurchase({ id: 'a' }), []);
    await expect(ledger.reserve(aPurchase({ id: 'a', key: 'other' }), [])).rejects.toThrow('with this id');
    const one = await pool.connect();
    const { rows } = await one.query('select now() = statement_timestamp() as alone');
    one.release();
    expect(rows).toEqual([{ alone: true }]);
    expect(await ledger.move('a', { from: ['reserved'], to: 'signed', at: NOON, durable: true })).toBe(true);
  });

  it('rejects a call whose connection is lost, and takes the next', async () => {
    const ledger = postgresLedger({ pool });
    await ledger.frozen();
    const other = await pool.connect();
    await other.query('begin; lock table assay_guard_purchase_main');
    const reserved = ledger.reserve(aPurchase({ id: 'a' }), []).then(
      () => 'reserved',
      (fault: unknown) => String(fault),
    );
    const end = `select pg_terminate_backend(pid) as ended from pg_stat_activity
      where wait_event_type = 'Lock' and application_name = current_schema()`;
    await expect.poll(async () => (await pool.query(end)).rows).toEqual([{ ended: true }]);
    expect(await reserved).toBe('LedgerFault: the ledger main in PostgreSQL: the server does not answer');
    await other.query('rollback');
    other.release();
    expect(await ledger.reserve(aPurchase({ id: 'a' }), [])).toEqual({ kind: 'reserved' });
  });

  it('has another try when the server could not be reached', async () => {
    const away = new Pool({ host: '127.0.0.1', port: 1 });
    const ledger = postgresLedger({ pool: away });
    const words = 'the ledger main in PostgreSQL: the server does not answer';
    for (let time = 0; time < 2; time += 1) await expect(ledger.open('key')).rejects.toThrow(words);
    await away.end();
  });
});
