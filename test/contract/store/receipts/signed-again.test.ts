import { dirname } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../../../src/adapters/store/store.ts';
import { correctVerdict } from '../../../../src/flows/log/correct-verdict.ts';
import { withdrawReceipts } from '../../../../src/flows/log/withdraw-receipts.ts';
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
const AT = new Date('2026-11-15T12:00:00.000Z');
const COMMANDS = {
  withdraw: {
    words: ['--because', 'error'],
    command: runWithdraw,
    /** What is done when it is killed before it signs. */
    half: (id: string, store: Store) =>
      withdrawReceipts({ id, because: 'error', at: AT, isOfUrl: false }, store),
  },
  correct: {
    words: ['--verdict', 'recheck', '--because', 'It was a mistake.'],
    command: runCorrect,
    half: (receiptId: string, store: Store) =>
      correctVerdict({ receiptId, at: AT, is: 'recheck', because: 'It was a mistake.' }, store),
  },
} as const;

describe.each(['withdraw', 'correct'] as const)('assay %s', (name) => {
  const { words, command, half } = COMMANDS[name];
  const id = statedRows(1)[0]?.receipt.id ?? '';
  const typed = (settings: NodeJS.ProcessEnv) => {
    const dataDir = 'file' in place.settings ? dirname(place.settings.file) : '';
    return operate([name, id, ...words], (given, output) =>
      command(given, output, { DATA_DIR: dataDir, SECRET: secret, ...settings }),
    );
  };

  it('signs the snapshot again with the key of the log', async () => {
    expect(await typed({ LOG_KEY })).toMatchObject({ code: 0 });
    expect((await publishedFile(service.store.snapshots)).size).toBe(2);
  });

  it('signs it also when a killed run has left only that to do', async () => {
    await half(id, service.store);
    expect((await publishedFile(service.store.snapshots)).size).toBe(3);
    expect(await typed({ LOG_KEY })).toMatchObject({ code: 1 });
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
