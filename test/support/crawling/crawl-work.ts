import type { ListedEndpoint } from '../../../src/core/crawl/listed-endpoint.ts';
import { rankLists } from '../../../src/core/crawl/merge-listed.ts';
import type { CrawlRow } from '../../../src/ports/crawl-runs.ts';
import type { CrawlWork, HostHold } from '../../../src/ports/crawl-work.ts';
import { crawlRow } from '../../../tools/samples/crawl-rows.ts';
import { listed } from '../../../tools/samples/listed.ts';

export const RANK = rankLists(['first-list', 'second-list', 'third-list']);
/** Longer than any test. */
export const LONG_MS = 600_000;

/** Stands for the keyed hash of a URL. */
export function keyOf({ target }: Pick<ListedEndpoint, 'target'>): string {
  return `key of ${target.normalized}`;
}

export async function list(
  work: CrawlWork,
  runId: string,
  endpoints: readonly ListedEndpoint[],
): Promise<void> {
  await work.list(runId, endpoints, endpoints.map(keyOf), RANK);
}

/** So many URLs of a host: https://a.example/1 and on. */
export function urlsOf(host: string, count: number, changes: Partial<ListedEndpoint> = {}): ListedEndpoint[] {
  return Array.from({ length: count }, (_, index) => listed(`https://${host}.example/${index + 1}`, changes));
}

/** A run whose hosts have so many URLs each, ready to be worked on. */
export async function sealedRun(
  work: CrawlWork,
  runId: string,
  hosts: Readonly<Record<string, number>>,
): Promise<void> {
  await list(
    work,
    runId,
    Object.entries(hosts).flatMap(([host, count]) => urlsOf(host, count)),
  );
  await work.seal(runId);
}

/** The receipt of a URL, with the n-th id. */
export function receiptOf(url: string, n: number): CrawlRow {
  return { urlKey: keyOf(listed(url)), receipt: crawlRow(n, { url }).receipt };
}

export async function urlsLeft(work: CrawlWork, runId: string, host: string): Promise<string[]> {
  return (await work.left(runId, host, null, 1_000)).map(({ endpoint }) => endpoint.target.href);
}

/** What was found on one host alone. */
export async function done(
  work: CrawlWork,
  { runId, owner, host }: HostHold,
  rows: readonly CrawlRow[],
  leaseMs: number,
): Promise<false | readonly CrawlRow[] | undefined> {
  const [answer] = await work.done({ runId, owner }, [{ host, rows }], leaseMs);
  return answer;
}

export const holdOf = (owner: string, host = 'a.example', runId = 'run'): HostHold => ({
  runId,
  host,
  owner,
});
