import { parseArgs } from 'node:util';
import { loadLists } from '../adapters/discovery/load-lists.ts';
import type { Store } from '../adapters/store/store.ts';
import { decodeCrawlState } from '../core/crawl/crawl-state.ts';
import { type CrawlParts, crawl } from '../flows/crawl/crawl.ts';
import { crawlAlong } from '../flows/crawl/join-crawl.ts';
import { CRAWL_JOB } from '../flows/crawl/lead-crawl.ts';
import { crawlPart } from '../flows/crawl/preview-crawl.ts';
import { createCrawl } from './build/create-crawl.ts';
import { keepSecret } from './build/keep-secret.ts';
import { openStore } from './build/open-store.ts';
import { reachPublicWeb } from './build/outbound.ts';
import { packageVersion } from './build/runtime.ts';
import { THIS_MACHINE } from './build/system.ts';
import { sayCrawl } from './commands/print-crawl.ts';
import type { Voice } from './commands/print-verified.ts';
import { type Config, readConfig } from './config/config.ts';
import { sayFaults } from './say-faults.ts';
import { stopSignal } from './stop-signal.ts';

const USAGE = 'usage: assay crawl [--list name]... [--limit n] [--resume] [--json]';
const WORKER_USAGE = 'usage: assay crawl-worker [--json]';

interface CrawlOptions {
  readonly lists: readonly string[];
  readonly limit: number | null;
  readonly resume: boolean;
  readonly json: boolean;
}

/** Leads a run now, or goes on with the one that was left. */
export async function runCrawl(argv: readonly string[], voice: Voice): Promise<number> {
  const options = readOptions(argv);
  if (options === null) return voice.fail(USAGE);
  return withStore(voice, async (config, store) => {
    const all = loadLists();
    const unknown = options.lists.find((name) => !all.some((list) => list.name === name));
    if (unknown !== undefined) return voice.fail(`catalog/discovery.json has no list ${unknown}`);
    const lists = options.lists.length === 0 ? all : all.filter(({ name }) => options.lists.includes(name));
    const isPart = options.limit !== null || lists.length < all.length;
    if (options.resume && isPart)
      return voice.fail('--resume goes on with a whole run: no --list, no --limit');
    if (options.resume && !(await isOpen(store))) return voice.fail('there is no run to go on with');
    const parts = crawlParts({ config, store, lists, limit: options.limit }, voice, options.json);
    const crawled = await (isPart ? crawlPart(parts) : crawl({ always: true }, parts));
    parts.end();
    if (crawled.kind === 'led_elsewhere') return voice.fail('another process leads the crawl right now');
    if (crawled.kind === 'run_open')
      return voice.fail('a run was left in the middle: go on with it first, with --resume');
    return 0;
  });
}

/** Probes beside whoever leads, on the same PostgreSQL, for as long as it runs. */
export async function runCrawlWorker(argv: readonly string[], voice: Voice): Promise<number> {
  const words = argv.filter((word) => word !== '--json');
  if (words.length > 0) return voice.fail(WORKER_USAGE);
  return withStore(
    voice,
    async (config, store) => {
      const { stop, ...parts } = crawlParts(
        { config, store, lists: [], limit: null },
        voice,
        argv.includes('--json'),
      );
      await crawlAlong({ ...parts, ...sayFaults(voice, stop) });
      return 0;
    },
    voice.say,
  );
}

async function withStore(
  voice: Voice,
  work: (config: Config, store: Store) => Promise<number>,
  onWaiting?: (line: string) => void,
): Promise<number> {
  const reading = readConfig();
  if (reading.kind === 'invalid') return voice.fail(`wrong setting: ${reading.problem}`);
  const store = await openStore(reading.config, onWaiting);
  try {
    return await work(reading.config, store);
  } finally {
    await store.close();
  }
}

async function isOpen({ jobs }: Store): Promise<boolean> {
  const state = decodeCrawlState((await jobs.read(CRAWL_JOB))?.state ?? null);
  return state !== null && state.phase !== 'published';
}

interface Setting {
  readonly config: Config;
  readonly store: Store;
  readonly lists: ReturnType<typeof loadLists>;
  readonly limit: number | null;
}

function crawlParts(
  { config, store, lists, limit }: Setting,
  voice: Voice,
  json: boolean,
): CrawlParts & { readonly stop: AbortSignal; end(): void } {
  const baseUrl = config.baseUrl ?? `http://${config.host}:${config.port}`;
  const stop = stopSignal();
  const { stderr } = process;
  const terminal = stderr.isTTY
    ? { columns: stderr.columns, write: (text: string) => stderr.write(text) }
    : null;
  const said = sayCrawl({ voice, json, terminal, stopwatch: THIS_MACHINE.stopwatch });
  return {
    ...createCrawl({
      store,
      reach: reachPublicWeb({ ...config, baseUrl, version: packageVersion() }),
      lists,
      secret: config.secret ?? keepSecret(config.dataDir),
      blockedHosts: config.blockedHosts,
      limit,
      ...THIS_MACHINE,
    }),
    onPhase: said.onPhase,
    onReceipt: said.onReceipt,
    isStopped: () => stop.aborted,
    stop,
    end: said.end,
  };
}

function readOptions(argv: readonly string[]): CrawlOptions | null {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: {
        list: { type: 'string', multiple: true, default: [] },
        limit: { type: 'string' },
        resume: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
      },
    });
    const { list, limit, resume, json } = values;
    if (limit !== undefined && !/^[1-9][0-9]{0,6}$/.test(limit)) return null;
    return { lists: list, limit: limit === undefined ? null : Number(limit), resume, json };
  } catch {
    return null;
  }
}
