import { dirname } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runWithdraw } from '../../../../src/main/commands/log/withdraw.ts';
import { unpublished } from '../../../../tools/samples/crawl-rows.ts';
import { publishAsCrawl, statedRows, testRunLog } from '../../../support/log/test-runs.ts';
import { operate } from '../../../support/running/command-line.ts';
import { SECRET, startService, type TestService } from '../../../support/running/running-service.ts';
import { COMMAND_KEYS, publishedFile, publishSnapshot } from '../../../support/snapshot/snapshot-world.ts';
import { newSqlitePlace, type Place } from '../../../support/storing/stores.ts';

let place: Place;
let service: TestService;
beforeEach(async () => {
  place = await newSqlitePlace();
  service = await startService({ place });
  const { store, logKeeper: keeper } = service;
  await unpublished(store.runs, 'run-1', statedRows(3));
  await publishAsCrawl(store.runs, 'run-1', testRunLog(store, { secret: SECRET, keeper }));
  await publishSnapshot(service);
});
afterEach(() => service.close());

const { SECRET: secret, LOG_KEY } = COMMAND_KEYS;
const withdraw = (settings: NodeJS.ProcessEnv) => {
  const [row] = statedRows(1);
  const dataDir = 'file' in place.settings ? dirname(place.settings.file) : '';
  return operate(['withdraw', row?.receipt.id ?? '', '--because', 'error'], (given, output) =>
    runWithdraw(given, output, { DATA_DIR: dataDir, SECRET: secret, ...settings }),
  );
};

it('assay withdraw signs the snapshot again with the key of the log', async () => {
  expect(await withdraw({ LOG_KEY })).toMatchObject({ code: 0 });
  expect((await publishedFile(service.store.snapshots)).size).toBe(2);
});

it('and without that key it removes nothing: every guard would refuse the snapshot', async () => {
  const refused = await withdraw({});
  expect([refused.code, refused.notes]).toEqual([
    1,
    [
      'the log has another key, with which the snapshot has to be signed again: use the SECRET or the LOG_KEY of this log; if its secret was replaced, run assay log epoch and restart',
    ],
  ]);
  expect((await publishedFile(service.store.snapshots)).size).toBe(3);
});
