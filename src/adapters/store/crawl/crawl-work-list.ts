import { inBatches } from '../../../core/concurrency/in-batches.ts';
import type { ListedEndpoint } from '../../../core/crawl/listed-endpoint.ts';
import { type ListRank, mergeListed } from '../../../core/crawl/merge-listed.ts';
import type { Dialect } from '../engine/dialect.ts';
import { insertRows } from '../engine/insert-rows.ts';
import type { Queries, Tables } from '../engine/tables.ts';
import { decodeEndpoint, encodeEndpoint } from './crawl-work-codec.ts';

export interface KeyedEndpoint {
  readonly urlKey: string;
  readonly endpoint: ListedEndpoint;
}

/** One row per URL and list. */
const MEMBERS_AT_ONCE = 500;

/** Adds a batch to a run. The row of the run is locked, so the rows read here do not change before they are written. */
export async function listBatch(
  queries: Queries,
  dialect: Dialect,
  runId: string,
  batch: readonly KeyedEndpoint[],
  rank: ListRank,
): Promise<void> {
  await requireUnsealed(queries, runId);
  const known = await endpointsOf(queries, dialect, runId, batch);
  const { targets, members, added } = changesOf(runId, batch, known, rank);
  if (targets.length > 0) await insertRows(queries, dialect, TARGETS, targets);
  for (const some of inBatches(members, MEMBERS_AT_ONCE)) await insertRows(queries, dialect, MEMBERS, some);
  if (added.size > 0) await insertRows(queries, dialect, HOSTS, hostRows(runId, added));
}

const TARGETS = {
  table: 'crawl_targets',
  columns: ['run_id', 'url_key', 'host', 'done', 'endpoint'],
  onConflict: '(run_id, url_key) do update set endpoint = excluded.endpoint',
} as const;

const MEMBERS = {
  table: 'crawl_listed',
  columns: ['run_id', 'list', 'url_key'],
  onConflict: 'do nothing',
} as const;

const HOSTS = {
  table: 'crawl_hosts',
  columns: ['run_id', 'host', 'urls', 'urls_left', 'owner', 'lease_until'],
  onConflict:
    '(run_id, host) do update set urls = crawl_hosts.urls + excluded.urls, urls_left = crawl_hosts.urls_left + excluded.urls_left',
} as const;

/** The upsert creates the row or, by an update without a change, locks it. */
async function requireUnsealed(queries: Queries, runId: string): Promise<void> {
  const { sealed } = await queries
    .insertInto('crawl_work')
    .values({ run_id: runId, sealed: 0 })
    .onConflict((conflict) => conflict.column('run_id').doUpdateSet({ run_id: runId }))
    .returning('sealed')
    .executeTakeFirstOrThrow();
  if (sealed === 1) throw new Error(`crawl run ${runId} is sealed: nothing can be listed any more`);
}

async function endpointsOf(
  queries: Queries,
  dialect: Dialect,
  runId: string,
  batch: readonly KeyedEndpoint[],
): Promise<ReadonlyMap<string, string>> {
  const urlKeys = batch.map(({ urlKey }) => urlKey);
  const rows = await queries
    .selectFrom('crawl_targets')
    .select(['url_key', 'endpoint'])
    .where('run_id', '=', runId)
    .where(dialect.among('url_key', urlKeys))
    .execute();
  return new Map(rows.map(({ url_key, endpoint }) => [url_key, endpoint]));
}

interface Changes {
  readonly targets: Tables['crawl_targets'][];
  readonly members: Tables['crawl_listed'][];
  /** New URLs per host. */
  readonly added: ReadonlyMap<string, number>;
}

function changesOf(
  runId: string,
  batch: readonly KeyedEndpoint[],
  known: ReadonlyMap<string, string>,
  rank: ListRank,
): Changes {
  const before = new Map([...known].map(([urlKey, text]) => [urlKey, decodeEndpoint(text)]));
  const after = new Map(before);
  for (const { urlKey, endpoint } of batch) {
    const other = after.get(urlKey);
    after.set(urlKey, other === undefined ? endpoint : mergeListed(other, endpoint, rank));
  }
  const targets: Tables['crawl_targets'][] = [];
  const members: Tables['crawl_listed'][] = [];
  const added = new Map<string, number>();
  for (const [urlKey, merged] of after) {
    const { host } = merged.target;
    const endpoint = encodeEndpoint(merged);
    if (endpoint !== known.get(urlKey))
      targets.push({ run_id: runId, url_key: urlKey, host, done: 0, endpoint });
    const others = new Set(before.get(urlKey)?.listedIn);
    for (const list of merged.listedIn) {
      if (!others.has(list)) members.push({ run_id: runId, list, url_key: urlKey });
    }
    if (!before.has(urlKey)) added.set(host, (added.get(host) ?? 0) + 1);
  }
  return { targets, members, added };
}

function hostRows(runId: string, added: ReadonlyMap<string, number>): Tables['crawl_hosts'][] {
  return [...added].map(([host, urls]) => ({
    run_id: runId,
    host,
    urls,
    urls_left: urls,
    owner: null,
    lease_until: 0,
  }));
}
