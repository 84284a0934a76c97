import { CRAWL_PAGE_SIZE } from '../../src/core/limits.ts';
import { microUsd } from '../../src/core/money/micro-usd.ts';
import type { CrawlReceipt } from '../../src/core/receipt/crawl-receipt.ts';
import type { CrawlListing, CrawlPosition, CrawlRun } from '../../src/core/receipt/crawl-run.ts';
import type { SummaryRow } from '../../src/core/receipt/crawl-summary.ts';
import type { CrawlRow, CrawlRunStore, PageStarts } from '../../src/ports/crawl-runs.ts';
import { BASE, PAYEE, THIEF } from './challenge.ts';
import { network } from './listed.ts';
import { afterNoon, NOON, SALT } from './store-receipts.ts';

/** The id of the n-th crawl receipt of a test; ids rise with n. */
export function crawlId(n: number): string {
  return n.toString(16).padStart(10, '0');
}

/** A `skip` with everything filled in, so that storing it loses nothing unnoticed. */
export function aCrawlReceipt(changes: Partial<CrawlReceipt> = {}): CrawlReceipt {
  return {
    id: crawlId(1),
    url: 'https://a.example/x',
    claimedPrice: microUsd(10_000n),
    quotedPrice: microUsd(50_000n),
    payTo: THIEF,
    verdict: 'skip',
    code: 'price_mismatch',
    reason: 'price mismatch: listed $0.01, 402 asks $0.05',
    checkedAt: NOON,
    sourceList: 'first-list',
    listedIn: ['first-list', 'second-list'],
    method: 'GET',
    httpStatus: 402,
    network: network(BASE),
    listedNetwork: network('solana'),
    listedPayTo: PAYEE,
    ...changes,
  };
}

/** The n-th row of a run: its own URL, key and id, which rise together. */
export function crawlRow(n: number, changes: Partial<CrawlReceipt> = {}): CrawlRow {
  const url = `https://a.example/${String(n).padStart(6, '0')}`;
  return { urlKey: `key-${n}`, receipt: aCrawlReceipt({ id: crawlId(n), url, ...changes }) };
}

/** The n-th row with a statement, and with what is kept beside it. */
export function statedRow(n: number): CrawlRow {
  const seen = { kind: 'answered', status: 402, challenge: { kind: 'none' }, freeTrial: null } as const;
  const evidence = { paymentRequiredSha256: null, bodySha256: 'ab'.repeat(32) };
  const values = { query: [['q', 'a-secret-example']], body: null } as const;
  return crawlRow(n, {
    listings: [{ price: microUsd(7n), payTo: null, network: null, sourceList: 'third-list' }],
    listedInput: { method: null, example: values, built: null, path: [], required: [] },
    basis: {
      run: 'run',
      salt: SALT,
      rulesVersion: '6',
      listedMethod: 'GET',
      takesPath: false,
      views: null,
      seen: { ...seen, evidence, refusal: null, input: null },
    },
  });
}

/** A run of two lists, made so many milliseconds after noon. */
export function aRun(id: string, madeAt = 0): CrawlRun {
  return {
    id,
    crawledAt: afterNoon(madeAt),
    previousRun: null,
    summary: {
      endpointsCovered: 3,
      newThisWeek: 2,
      verdicts: { pay: 1, skip: 1, recheck: 1 },
      needsInput: 0,
      lists: new Map([
        ['first-list', 2],
        ['__proto__', 1],
      ]),
      listedIn: new Map([['first-list', 3]]),
      featuredId: crawlId(1),
      skipPages: 1,
      receiptPages: 1,
      facets: {
        reasons: new Map([['price_mismatch', 1]]),
        lists: new Map([['first-list', { rows: 3, skips: 1, disagree: 1, setAside: 0 }]]),
        networks: new Map([['eip155:8453', 1]]),
        priceGaps: 1,
        newSkips: 1,
        newestSkips: [crawlId(1)],
      },
    },
    sources: new Map([
      ['first-list', { ok: true, items: 3, skipped: false, note: 'read in 2 pages' }],
      ['paid-list', { ok: false, items: null, skipped: true, note: 'asks for a payment' }],
    ]),
  };
}

const STEP_ROWS = 1_000;
/** A store that repeats a row must fail a test and not run for ever. */
const STEPS_MAX = 200;

/** Where the pages of a run start, found as a crawl would: by reading its rows once. */
export async function pageStartsOf(runs: CrawlRunStore, runId: string): Promise<PageStarts> {
  const seen: Record<CrawlListing, CrawlPosition[]> = { all: [], skip: [] };
  let after: CrawlPosition | null = null;
  for (let step = 0; step < STEPS_MAX; step += 1) {
    const page: readonly SummaryRow[] = await runs.rows(runId, after, STEP_ROWS);
    const rows = page.map(({ receipt }) => receipt);
    seen.all.push(...rows);
    seen.skip.push(...rows.filter(({ verdict }) => verdict === 'skip'));
    after = rows.at(-1) ?? null;
    if (after === null) break;
  }
  const starts = (rows: readonly CrawlPosition[]) =>
    rows
      .filter((_, index) => (index + 1) % CRAWL_PAGE_SIZE === 0 && index + 1 < rows.length)
      .map(({ url, id }) => ({ url, id }));
  return { all: starts(seen.all), skip: starts(seen.skip) };
}

export const NO_PAGES: PageStarts = { all: [], skip: [] };

/** A run with these rows that nobody sees yet. */
export async function unpublished(
  runs: CrawlRunStore,
  runId: string,
  rows: readonly CrawlRow[],
): Promise<void> {
  await runs.begin(runId, NOON);
  const refused = await runs.add(runId, rows);
  if (refused.length > 0) throw new Error(`run ${runId} refused ${refused.length} rows`);
}

export async function published(
  runs: CrawlRunStore,
  runId: string,
  rows: readonly CrawlRow[],
  madeAt = 0,
): Promise<void> {
  await unpublished(runs, runId, rows);
  await runs.publish(aRun(runId, madeAt), NO_PAGES);
}

/** All that a reader can see of a run with the first row in it. */
export async function everythingOf(runs: CrawlRunStore, runId: string): Promise<unknown[]> {
  return [
    await runs.latest(),
    await runs.page(runId, 'all', 1),
    await runs.page(runId, 'skip', 1),
    await runs.byId(crawlId(1)),
    await runs.inLatestRun('key-1'),
    await runs.latestOf('key-1', 9),
  ];
}
