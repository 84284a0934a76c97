import { createHash } from 'node:crypto';
import type { Store } from '../../../src/adapters/store/store.ts';
import type { CrawlPosition } from '../../../src/core/receipt/crawl-run.ts';
import { type Publication, publishRun } from '../../../src/flows/crawl/publish-run.ts';
import type { LogKeeper } from '../../../src/flows/log/keep-log.ts';
import { createRunLog, type RunLog } from '../../../src/flows/log/log-run.ts';
import { logKeysOf } from '../../../src/main/build/log-keys.ts';
import type { CrawlRunStore } from '../../../src/ports/crawl-runs.ts';
import { statedRow, unpublished } from '../../../tools/samples/crawl-rows.ts';
import { NOON } from '../../../tools/samples/store-receipts.ts';
import { testKeeper } from './test-log.ts';

type Parts = Pick<Store, 'runs' | 'transparencyLog'>;

/** The log of runs of a process with this secret. */
export function testRunLog(
  { transparencyLog }: Parts,
  { secret = 'a secret', keeper }: { readonly secret?: string; readonly keeper?: LogKeeper } = {},
): RunLog {
  const own = testKeeper(transparencyLog, { secret });
  const keys = logKeysOf({ key: null, oldKey: null }, secret);
  return createRunLog({ ...keys, log: transparencyLog, keeper: keeper ?? own.keeper });
}

export const statedRows = (count: number, from = 1) =>
  Array.from({ length: count }, (_, at) => statedRow(from + at));

/** Publishes what the run has, as the crawl does. */
export function publishAsCrawl(
  runs: CrawlRunStore,
  runId: string,
  runLog: RunLog | null,
): Promise<Publication> {
  const sources = new Map([
    ['first-list', { ok: true, items: 3, skipped: false, note: 'complete', sha256: 'ab'.repeat(32) }],
  ]);
  return publishRun({ id: runId, crawledAt: NOON, sources }, { publishAnyway: true }, { runs, runLog });
}

/** A published run with so many receipts, and with its tree in the log. */
export async function publishLogged(
  store: Parts,
  runId: string,
  count: number,
  runLog = testRunLog(store),
): Promise<void> {
  await unpublished(store.runs, runId, statedRows(count));
  await publishAsCrawl(store.runs, runId, runLog);
}

/** What the entries of a run have to be, from its rows and by another hand. */
export async function expectedEntries(runs: CrawlRunStore, runId: string): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for (let after: CrawlPosition | null = null; ; ) {
    const rows = await runs.rows(runId, after, 1_000);
    for (const { receipt, statement } of rows) {
      const sha256 = createHash('sha256')
        .update(statement ?? '')
        .digest('base64');
      entries.push({ id: receipt.id, sha256, entry: `assay receipt v1\n-\n${sha256}\n` });
    }
    after = rows.at(-1)?.receipt ?? null;
    if (after === null) return entries;
  }
}

interface Entry {
  readonly id: string;
  readonly sha256: string;
  readonly entry: string;
}
