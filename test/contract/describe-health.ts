import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../src/adapters/store/store.ts';
import { startService, type TestService } from '../support/running-service.ts';
import type { NewPlace, Place } from '../support/stores.ts';

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

    /** A second later, because within one the last answer counts. */
    const ask = async () => {
      clock.ms += 1_000;
      const { status, json } = await service.ask('/readyz');
      return [status, json.code, json.checks];
    };

    it('writes and leaves nothing behind, also when twenty do it at once', async () => {
      await Promise.all(Array.from({ length: 20 }, () => store.health.write()));
      expect(await place.ask('select * from jobs')).toEqual([]);
      expect(await ask()).toEqual([200, undefined, { store: 'ok', schema: 'ok', process: 'ok' }]);
    });

    it('finds a schema that a newer version has added to, and one that lacks steps', async () => {
      await place.ask("insert into schema_migrations values (999, 'later', 0)");
      expect(await store.health.schema()).toBe('newer');
      expect(await ask()).toEqual([200, undefined, { store: 'ok', schema: 'newer', process: 'ok' }]);
      await place.ask('delete from schema_migrations where version > 5');
      expect(await store.health.schema()).toBe('older');
      expect(await ask()).toEqual([503, 'not_ready', { store: 'ok', schema: 'older', process: 'ok' }]);
    });

    it('finds tables that are gone', async () => {
      await place.ask('drop table schema_migrations');
      await expect(store.health.schema()).rejects.toThrow();
      expect(await ask()).toEqual([503, 'not_ready', { store: 'ok', schema: 'unknown', process: 'ok' }]);
      await place.ask('drop table jobs');
      expect(await ask()).toMatchObject([503, 'store_unavailable', { store: 'failed' }]);
    });
  });
}
