import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { beginEpoch } from '../../../src/flows/log/begin-epoch.ts';
import { NO_KEYS } from '../../../src/flows/log/log-keys.ts';
import { entriesTo, testKeeper } from '../../support/log/test-log.ts';
import { type VerifyingClient, verifyingClient } from '../../support/log/verifying-cli.ts';
import { SECRET, startService, type TestService } from '../../support/running/running-service.ts';

let service: TestService;
let client: VerifyingClient;
beforeEach(async () => {
  service = await startService({ door: 'socket' });
  client = verifyingClient(() => service.address ?? '');
});
afterEach(async () => {
  await service.close();
  client.remove();
});

/** Gives entries their place, and is killed before anybody gets the checkpoint. */
async function killedBeforePublishing(from: number): Promise<void> {
  const { transparencyLog: log } = service.store;
  const publish = () => Promise.reject(new Error('killed'));
  const { keeper } = testKeeper({ ...log, publish }, { secret: SECRET });
  await log.add(entriesTo(5, from));
  await expect(keeper.round()).rejects.toThrow('killed');
}
async function checked() {
  const { code, out } = await client.check();
  if (out === '') return { code };
  const { trees, faults } = JSON.parse(out);
  return { code, sizes: trees.map(({ size }: { size: number }) => size), faults };
}

describe('an epoch that ends while entries have a place and no checkpoint that was shown', () => {
  // Exit 3: the store has none of these receipts, so that they count as archived.
  it.each<[string, number, { code: number; sizes: number[] }]>([
    ['after some that had one', 3, { code: 3, sizes: [8, 1] }],
    ['of which it has no others', 0, { code: 3, sizes: [5, 1] }],
  ])('can be read to its end: %s', async (_, before, sound) => {
    const { transparencyLog: log } = service.store;
    if (before > 0) {
      await log.add(entriesTo(before));
      await service.logKeeper.round();
      expect((await checked()).code).toBe(3);
    }
    await killedBeforePublishing(before);
    await beginEpoch(log, NO_KEYS);
    await testKeeper(log, { secret: SECRET }).keeper.round();
    expect(await checked()).toEqual({ ...sound, faults: [] });
  });
});
