import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { openSqlite } from '../../src/adapters/store/sqlite/open.ts';
import type { Store } from '../../src/adapters/store/store.ts';
import { CRAWL_PAGE_SIZE } from '../../src/core/limits.ts';
import { microUsd } from '../../src/core/money/micro-usd.ts';
import { publicWeb } from '../../src/core/url/gate.ts';
import { publicAddresses } from '../../src/core/url/public-address.ts';
import { publishRun } from '../../src/flows/crawl/publish-run.ts';
import { type CrawlPages, createCrawlPages } from '../../src/http/routes/crawl-pages.ts';
import { skipsRoute } from '../../src/http/routes/skips.ts';
import type { CrawlRow } from '../../src/ports/crawl-runs.ts';
import { median } from '../../tools/measure.ts';
import { crawlRow } from '../../tools/samples/crawl-rows.ts';
import type { Finding, Report } from '../report/findings.ts';
import { benchSkipsWaits } from './skips-waits.ts';
import { cpuMsSince, exchangeOf, watchTurns } from './views.ts';

/**
 * The skips of a run of a million receipts beside one of 1,000, in the same run. Cold: nothing of the run was rendered or
 * counted. Warm: the same view again. What reads at most one page may take no longer among many; a search may, in slices.
 * In processor time, which a noisy machine disturbs least; the page for people also as a browser waits for it.
 */
const SMALL = 1_000;
const LARGE = Number(process.env['BENCH_RECEIPTS'] ?? 1_000_000);
const RATIO_MAX = 2;
/** The longest that anybody else may wait behind one of these. */
const TURN_MS_MAX = 100;
const ROUNDS = 9;
const NOW = new Date('2026-11-15T12:00:00.000Z');

/** All are skips, six of ten for their price, nearly all on one list: every view has a full page also among few. */
function receipt(n: number): CrawlRow {
  const host = n < 10 ? 'rare.example' : `s${n % 500}.example`;
  const common = {
    url: `https://${host}/v1/${n}/current?city=berlin`,
    sourceList: n % 20 === 9 ? 'small-list' : 'large-list',
  };
  if (n % 10 < 2)
    return crawlRow(n, { ...common, code: 'bad_challenge', reason: 'bad challenge (HTTP 402)' });
  if (n % 10 < 8) return crawlRow(n, { ...common, quotedPrice: microUsd(BigInt(20_000 + n)) });
  return crawlRow(n, {
    ...common,
    code: 'no_paywall',
    quotedPrice: null,
    reason: 'no 402 challenge (HTTP 404)',
  });
}

async function openSide(folder: string, count: number): Promise<Store> {
  const store = await openSqlite({ file: join(folder, `${count}.db`) });
  await store.runs.begin('run', NOW);
  for (let at = 0; at < count; at += 1_000) {
    const rows = Array.from({ length: Math.min(1_000, count - at) }, (_, n) => receipt(at + n));
    await store.runs.add('run', rows);
  }
  await publishRun(
    { id: 'run', crawledAt: NOW, sources: new Map() },
    { publishAnyway: true },
    {
      runs: store.runs,
      runLog: null,
    },
  );
  return store;
}

interface View {
  readonly form: 'skips' | 'skips_html' | 'skips_csv' | 'feed';
  readonly query: string;
  /** Reads no more than its page and an index among many as among few. */
  readonly even: boolean;
  /** What it is measured against among few; itself when left out. */
  readonly beside?: string;
}

/** Both runs fill their last page. */
const LAST = LARGE / CRAWL_PAGE_SIZE;

const VIEWS: readonly View[] = [
  { form: 'skips_html', query: '', even: true },
  { form: 'skips', query: '', even: true },
  { form: 'skips_html', query: `page=${LAST}`, even: true, beside: 'page=2' },
  { form: 'skips', query: `page=${LAST}`, even: true, beside: '' },
  { form: 'skips_csv', query: '', even: true },
  { form: 'feed', query: '', even: true },
  { form: 'skips_html', query: 'reason=price_mismatch', even: true },
  { form: 'skips', query: 'list=large-list', even: true },
  { form: 'skips', query: 'network=base', even: true },
  { form: 'skips', query: 'host=rare.example', even: true },
  { form: 'skips', query: 'host=rare.example&reason=no_paywall', even: true },
  { form: 'skips', query: 'host=nowhere.example', even: true },
  { form: 'skips', query: 'reason=price_mismatch&list=large-list', even: false },
  { form: 'skips', query: 'sort=price_gap', even: true },
  { form: 'skips', query: 'q=berlin', even: false },
  { form: 'skips', query: 'q=rare', even: false },
  { form: 'skips', query: 'q=nowhere', even: false },
];

async function msOf(pages: CrawlPages, { form, query }: View): Promise<number> {
  const exchange = exchangeOf('/v1/skips', query);
  const before = process.cpuUsage();
  const { status } =
    form === 'feed' ? await pages.feed(exchange) : await skipsRoute(pages, form)(exchange, '');
  if (status !== 200) throw new Error(`${form} ${query} answered ${status}`);
  return cpuMsSince(before);
}

interface Times {
  readonly cold: number;
  readonly warm: number;
}

const POLICY = publicWeb({ addresses: publicAddresses([]), ownHosts: new Set() });

/** Has rendered and counted nothing yet. */
function newPages({
  runs,
  sellers,
  corrections,
}: Pick<Store, 'runs' | 'sellers' | 'corrections'>): CrawlPages {
  return createCrawlPages({
    runs,
    corrections,
    now: () => NOW,
    notes: { sellers, policy: POLICY, keyOf: (text) => text, clock: { now: () => NOW } },
  });
}

async function timesOf({ runs, sellers, corrections }: Store, view: View): Promise<Times> {
  const rounds: Times[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const pages = newPages({ runs, sellers, corrections });
    const cold = await msOf(pages, view);
    await nextTurn();
    rounds.push({ cold, warm: await msOf(pages, view) });
    await nextTurn();
  }
  return { cold: median(rounds.map(({ cold }) => cold)), warm: median(rounds.map(({ warm }) => warm)) };
}

async function compare(small: Store, large: Store, view: View): Promise<Finding> {
  const few = await timesOf(small, { ...view, query: view.beside ?? view.query });
  const longest = watchTurns();
  const many = await timesOf(large, view);
  const waited = longest();
  const ratio = many.cold / few.cold;
  const show = ({ cold, warm }: Times) => `${cold.toFixed(1)} ms, warm ${warm.toFixed(2)} ms`;
  const even = view.even ? `<= ${RATIO_MAX}, ` : '';
  return {
    what: `${view.form} ${view.query}`.trim(),
    measured: `${show(many)}, longest turn ${waited.toFixed(0)} ms`,
    bare: show(few),
    ratio,
    bound: `${even}turns <= ${TURN_MS_MAX} ms`,
    kept: waited <= TURN_MS_MAX && (!view.even || ratio <= RATIO_MAX),
  };
}

export async function benchSkipsScale(): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  try {
    const [small, large] = [await openSide(folder, SMALL), await openSide(folder, LARGE)];
    const findings: Finding[] = [];
    findings.push(
      ...(await benchSkipsWaits({
        few: () => newPages(small),
        many: () => newPages(large),
        lastPage: LAST,
      })),
    );
    for (const view of VIEWS) findings.push(await compare(small, large, view));
    await Promise.all([small.close(), large.close()]);
    const about =
      `Views of a run of ${LARGE} receipts; bare is the same view of ${SMALL}. Processor time until the body is there: ` +
      'cold, nothing of the run was rendered or counted before; warm, the same view again. The page for people also as ' +
      'the time that a browser waits on loopback for the first byte and for the whole page, the shortest of 15 rounds.';
    return { about, findings };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
