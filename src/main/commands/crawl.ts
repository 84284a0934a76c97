import { loadLists } from '../../adapters/discovery/load-lists.ts';
import type { Store } from '../../adapters/store/store.ts';
import { CRAWL_SHARE } from '../../adapters/vantage/vantage-health.ts';
import type { Outcome } from '../../cli/exit-code.ts';
import { type Arguments, readCount } from '../../cli/read-arguments.ts';
import { decodeCrawlState, openRun } from '../../core/crawl/crawl-state.ts';
import { crawl } from '../../flows/crawl/crawl.ts';
import type { CrawlPorts } from '../../flows/crawl/crawl-ports.ts';
import { joinCrawl } from '../../flows/crawl/join-crawl.ts';
import { CRAWL_JOB } from '../../flows/crawl/lead-crawl.ts';
import { previewCrawl } from '../../flows/crawl/preview-crawl.ts';
import { createCrawl } from '../build/create-crawl.ts';
import { secretOf } from '../build/keep-secret.ts';
import { LOG_FIX, logKeeperOf } from '../build/log-keeper.ts';
import { hasKeyOfLog } from '../build/log-keys.ts';
import { openStore } from '../build/open-store.ts';
import { createPublicOutbound } from '../build/outbound.ts';
import { runLogOf } from '../build/run-log.ts';
import { packageVersion } from '../build/runtime.ts';
import { requireSameSecret } from '../build/same-secret.ts';
import { snapshotKeeper } from '../build/snapshot-keeper.ts';
import { SYSTEM } from '../build/system.ts';
import { type Config, environment, readConfig } from '../config/config.ts';
import { readTerminal } from '../config/terminal-settings.ts';
import { serviceVantages } from '../vantage/service-vantages.ts';
import type { Output } from './output.ts';
import { printCrawl } from './print-crawl.ts';
import { roundsUntil, stopSignal } from './stop-signal.ts';

const LIMIT_MAX = 9_999_999;

/** assay crawl: leads a run now, or resumes the unfinished one. */
export async function runCrawl(
  given: Arguments,
  output: Output,
  settings?: NodeJS.ProcessEnv,
): Promise<Outcome> {
  const limitText = given.text('--limit');
  const limit = limitText === null ? null : readCount(limitText, LIMIT_MAX);
  if (limitText !== null && limit === null) {
    return { invalid: `--limit must be a whole number from 1 to ${LIMIT_MAX}` };
  }
  const [named, resume] = [given.all('--list'), given.has('--resume')];
  const lead = async (config: Config, store: Store) => {
    const all = loadLists();
    const unknown = named.find((name) => !all.some((list) => list.name === name));
    if (unknown !== undefined) return output.fail(`catalog/discovery.json has no list ${unknown}`);
    const lists = named.length === 0 ? all : all.filter(({ name }) => named.includes(name));
    const isPart = limit !== null || lists.length < all.length;
    if (resume && isPart)
      return output.fail('--resume continues a whole run: it cannot be combined with --list or --limit');
    if (resume && !(await isOpen(store))) return output.fail('there is no unfinished run to resume');
    // A published run never gets its tree later, so that nobody could prove its receipts.
    if (!isPart && !(await hasKeyOfLog(store.transparencyLog, config.transparency, secretOf(config))))
      return output.fail(`the log has another key, so that it would not have the run: ${LOG_FIX.other_keys}`);
    const parts = crawlParts({ config, store, lists, limit }, output, given.has('--json'));
    const wanted = { always: true, publishAnyway: given.has('--publish-anyway') };
    const crawled = await (isPart ? previewCrawl(parts) : crawl(wanted, parts));
    parts.end();
    const fault = NOT_PUBLISHED.get(crawled.kind);
    return fault === undefined ? 0 : output.fail(fault);
  };
  return withStore(output, lead, { settings });
}

const NOT_PUBLISHED: ReadonlyMap<string, string> = new Map([
  ['led_elsewhere', 'another process is leading a crawl right now'],
  ['run_open', 'a run is unfinished: resume it first, with --resume'],
  ['held', 'the run is not published; --publish-anyway publishes such a run'],
]);

/** assay crawl-worker: probes for a crawl that another process on the same PostgreSQL leads, until it is stopped. */
export async function runCrawlWorker(given: Arguments, output: Output): Promise<Outcome> {
  const reading = readConfig();
  // The embedded store is of one process: nobody else could lead.
  if (reading.kind === 'config' && reading.config.databaseUrl === null)
    return output.fail('crawl-worker needs DATABASE_URL; with the embedded store assay crawl probes alone');
  return withStore(
    output,
    async (config, store) => {
      output.note('waiting for a crawl');
      const { stop, ...parts } = crawlParts(
        { config, store, lists: [], limit: null },
        output,
        given.has('--json'),
      );
      await joinCrawl({ ...parts, ...roundsUntil(stop, output) });
      return 0;
    },
    { onWaiting: output.note },
  );
}

interface StoreOptions {
  readonly settings?: NodeJS.ProcessEnv | undefined;
  readonly onWaiting?: (line: string) => void;
}

async function withStore(
  output: Output,
  work: (config: Config, store: Store) => Promise<number>,
  { settings, onWaiting }: StoreOptions,
): Promise<number> {
  const reading = readConfig(settings);
  if (reading.kind === 'invalid') return output.fail(`invalid setting: ${reading.problem}`);
  const store = await openStore(reading.config, onWaiting);
  try {
    await requireSameSecret(secretOf(reading.config), store.secretMark);
    return await work(reading.config, store);
  } finally {
    await store.close();
  }
}

async function isOpen({ jobs }: Store): Promise<boolean> {
  return openRun(decodeCrawlState((await jobs.read(CRAWL_JOB))?.state ?? null)) !== null;
}

interface Setting {
  readonly config: Config;
  readonly store: Store;
  readonly lists: ReturnType<typeof loadLists>;
  readonly limit: number | null;
}

/** The crawl signs its run and asks no witness. */
const QUIET = { info: () => {}, warn: () => {} };

function crawlParts(
  { config, store, lists, limit }: Setting,
  output: Output,
  json: boolean,
): CrawlPorts & { readonly stop: AbortSignal; end(): void } {
  const secret = secretOf(config);
  const baseUrl = config.baseUrl ?? `http://${config.host}:${config.port}`;
  const stop = stopSignal();
  const { stderr } = process;
  const terminal =
    stderr.isTTY && readTerminal(environment()).progress
      ? { columns: stderr.columns, write: (text: string) => stderr.write(text) }
      : null;
  const printer = printCrawl({ output, json, terminal, stopwatch: SYSTEM.stopwatch });
  return {
    ...createCrawl({
      store,
      outbound: createPublicOutbound({ ...config, baseUrl, version: packageVersion() }),
      lists,
      secret,
      runLog: runLogOf(config, { secret, store, ...logKeeperOf(config, { secret, store, log: QUIET }) }),
      limit,
      vantages: serviceVantages(config, { secret, log: QUIET, share: CRAWL_SHARE }),
      ...SYSTEM,
    }),
    onPhase: printer.onPhase,
    afterPublishing: () => snapshotKeeper(store, config, secret)(),
    onReceipt: printer.onReceipt,
    isStopped: () => stop.aborted,
    stop,
    end: printer.end,
  };
}
