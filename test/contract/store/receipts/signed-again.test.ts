import { dirname } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCorrect } from '../../../../src/main/commands/log/correct.ts';
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
const COMMANDS = {
  withdraw: [['--because', 'error'], runWithdraw],
  correct: [['--verdict', 'recheck', '--because', 'It was a mistake.'], runCorrect],
} as const;

describe.each(['withdraw', 'correct'] as const)('assay %s', (name) => {
  const [words, command] = COMMANDS[name];
  const typed = (settings: NodeJS.ProcessEnv) => {
    const [row] = statedRows(1);
    const dataDir = 'file' in place.settings ? dirname(place.settings.file) : '';
    return operate([name, row?.receipt.id ?? '', ...words], (given, output) =>
      command(given, output, { DATA_DIR: dataDir, SECRET: secret, ...settings }),
    );
  };

  it('signs the snapshot again with the key of the log', async () => {
    expect(await typed({ LOG_KEY })).toMatchObject({ code: 0 });
    expect((await publishedFile(service.store.snapshots)).size).toBe(2);
  });

  it('changes nothing without that key: every guard would refuse the snapshot', async () => {
    expect(await typed({})).toMatchObject({
      code: 1,
      notes: [
        'the log has another key, with which the snapshot has to be signed again: use the SECRET or the LOG_KEY of this log; if its secret was replaced, run assay log epoch and restart',
      ],
    });
    expect((await publishedFile(service.store.snapshots)).size).toBe(3);
    expect(await service.store.corrections.newest(0, 1)).toEqual([]);
  });
});
