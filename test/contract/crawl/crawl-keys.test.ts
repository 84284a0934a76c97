import { dirname } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { encodeCrawlState } from '../../../src/core/crawl/crawl-state.ts';
import { CRAWL_JOB } from '../../../src/flows/crawl/lead-crawl.ts';
import { runCrawl } from '../../../src/main/commands/crawl.ts';
import { unpublished } from '../../../tools/samples/crawl-rows.ts';
import { NOON } from '../../../tools/samples/store-receipts.ts';
import { statedRows } from '../../support/log/test-runs.ts';
import { operate } from '../../support/running/command-line.ts';
import { startService, type TestService } from '../../support/running/running-service.ts';
import { COMMAND_KEYS } from '../../support/snapshot/snapshot-world.ts';
import { newSqlitePlace, type Place } from '../../support/storing/stores.ts';

let place: Place;
let service: TestService;

/** A run of which everything is probed and nothing is published. */
beforeEach(async () => {
  place = await newSqlitePlace();
  service = await startService({ place });
  const { runs, crawlWork, jobs } = service.store;
  await unpublished(runs, 'run-1', statedRows(3));
  await crawlWork.seal('run-1');
  const claim = { name: CRAWL_JOB, holder: 'a leader that died', now: NOON, leaseMs: 0 };
  await jobs.claim(claim);
  const progress = { startedAt: NOON.getTime(), sources: {}, previousRunId: null, goodSizes: {} };
  await jobs.save(claim, encodeCrawlState({ runId: 'run-1', phase: 'probing', ...progress }));
});
afterEach(() => service.close());

const { SECRET, LOG_KEY } = COMMAND_KEYS;
const resume = (settings: NodeJS.ProcessEnv) => {
  const dataDir = 'file' in place.settings ? dirname(place.settings.file) : '';
  return operate(['crawl', '--resume', '--publish-anyway'], (given, output) =>
    runCrawl(given, output, { DATA_DIR: dataDir, SECRET, ...settings }),
  );
};
const published = async () => ({
  run: (await service.store.runs.latest())?.id ?? null,
  trees: (await service.store.transparencyLog.runHeads()).length,
});

it('assay crawl with the key of the log publishes a run with its tree', async () => {
  expect(await resume({ LOG_KEY })).toMatchObject({ code: 0 });
  expect(await published()).toEqual({ run: 'run-1', trees: 1 });
});

it('and without that key it publishes nothing: nobody could ever prove a receipt of the run', async () => {
  const refused = await resume({});
  expect(await published()).toEqual({ run: null, trees: 0 });
  expect([refused.code, refused.notes]).toEqual([
    1,
    [
      'the log has another key, so that it would not have the run: use the SECRET or the LOG_KEY of this log; if its secret was replaced, run assay log epoch and restart',
    ],
  ]);
});
