import { afterEach, beforeEach, expect, it } from 'vitest';
import { anEntry, testKeeper } from '../../../test/support/log/test-log.ts';
import { newSqlitePlace, type Place } from '../../../test/support/storing/stores.ts';
import { parseEntry } from '../../core/log/entry.ts';
import type { LogStore } from '../../ports/log/transparency-log.ts';
import { beginEpoch } from './begin-epoch.ts';
import { NO_KEYS } from './log-keys.ts';

let place: Place;
let log: LogStore;
beforeEach(async () => {
  place = await newSqlitePlace();
  log = (await place.open()).transparencyLog;
});
afterEach(() => place.remove());

it('begins with the end of the last epoch that was signed, however many were begun since', async () => {
  await log.add([anEntry(1)]);
  await testKeeper(log).keeper.round();
  for (let epoch = 2; epoch <= 8; epoch += 1) {
    await beginEpoch(log, NO_KEYS);
    await testKeeper(log).keeper.round();
  }
  const signed = await log.current();
  for (let epoch = 9; epoch <= 11; epoch += 1) await beginEpoch(log, NO_KEYS);
  await testKeeper(log).keeper.round();
  const current = await log.current();
  expect(current).toMatchObject({ tree: '11', size: 3 });
  const [first] = await log.entries('11', 0, 1);
  // Nothing else has a key that a client could know.
  expect(parseEntry(first?.entry ?? '')).toMatchObject({ kind: 'epoch', origin: signed?.origin, size: 1 });
});
