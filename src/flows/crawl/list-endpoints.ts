import { inBatches } from '../../core/concurrency/in-batches.ts';
import {
  keepsPreviousRows,
  type ListOutcome,
  listSource,
  type PreviousReadings,
} from '../../core/crawl/list-outcome.ts';
import { type ListedEndpoint, listingsOf } from '../../core/crawl/listed-endpoint.ts';
import type { ListSource } from '../../core/receipt/crawl-run.ts';
import { CLAIMS_MAX } from '../../core/verdict/counted-listing.ts';
import type { DiscoverySource } from '../../ports/discovery.ts';
import type { CrawlPorts } from './crawl-ports.ts';

export interface ReadList {
  readonly source: ListSource;
  /** The size of the complete list; null when this reading does not tell. */
  readonly goodSize: number | null;
}

interface PreviousList extends PreviousReadings {
  readonly runId: string | null;
}

export interface ListingPorts extends Pick<CrawlPorts, 'keyOf' | 'rank' | 'isBlocked' | 'limit'> {
  readonly work: Pick<CrawlPorts['work'], 'list' | 'listed'>;
}

const COPY_STEP = 500;

/** Reads one list into a run. A list that failed or shrank too much gets its rows of the previous run (gap G70). */
export async function listEndpoints(
  runId: string,
  list: DiscoverySource,
  previous: PreviousList,
  ports: ListingPorts,
  signal?: AbortSignal,
): Promise<ReadList> {
  const outcome = await readInto(runId, list, ports, signal);
  const source = listSource(outcome);
  // A limited or aborted reading says nothing about the size of the list.
  if (ports.limit !== null || signal?.aborted === true) return { source, goodSize: null };
  if (previous.runId === null || !keepsPreviousRows(outcome, previous)) {
    return { source, goodSize: outcome.kind === 'read' ? outcome.items : null };
  }
  const kept = await copyList(runId, previous.runId, list.name, ports);
  const note = `${source.note}; the ${kept} rows of the previous run were kept`;
  return { source: { ...source, ok: false, note }, goodSize: null };
}

async function readInto(
  runId: string,
  list: DiscoverySource,
  ports: ListingPorts,
  signal?: AbortSignal,
): Promise<ListOutcome> {
  let taken = 0;
  for await (const part of list.read(signal)) {
    if (part.kind === 'ended') return part.outcome;
    const room = ports.limit === null ? part.endpoints.length : ports.limit - taken;
    const endpoints = part.endpoints.filter(({ target }) => !ports.isBlocked(target.host)).slice(0, room);
    taken += endpoints.length;
    await add(runId, endpoints, ports);
    if (ports.limit !== null && taken >= ports.limit) {
      return { kind: 'read', cut: 'row_limit', items: taken, leftOut: new Map(), announced: null };
    }
  }
  return { kind: 'failed', fault: { kind: 'cancelled' }, items: taken, leftOut: new Map(), announced: null };
}

async function add(
  runId: string,
  endpoints: readonly ListedEndpoint[],
  { work, keyOf, rank }: ListingPorts,
): Promise<void> {
  for (const step of inBatches(endpoints, COPY_STEP)) {
    const keys = step.map(({ target }) => keyOf(target.normalized));
    await work.list(runId, step, keys, rank);
  }
}

async function copyList(
  runId: string,
  fromRunId: string,
  list: string,
  ports: ListingPorts,
): Promise<number> {
  let copied = 0;
  for (let after: string | null = null; ; ) {
    const rows = await ports.work.listed(fromRunId, list, after, COPY_STEP);
    // A host may have opted out since.
    const open = rows.filter(({ endpoint }) => !ports.isBlocked(endpoint.target.host));
    await add(
      runId,
      open.map(({ endpoint }) => asListedIn(list, endpoint)),
      ports,
    );
    copied += open.length;
    after = rows.at(-1)?.urlKey ?? null;
    if (after === null) return copied;
  }
}

/**
 * Only the claims of this list: those of another one are not attributed to it. Of a flood all claims are kept, under their own
 * lists, because fewer would hide that others were dropped (gap G99).
 */
function asListedIn(list: string, endpoint: ListedEndpoint): ListedEndpoint {
  const claims = listingsOf(endpoint);
  const own = claims.filter(({ sourceList }) => sourceList === list);
  const [first] = own;
  const others = (claims.length >= CLAIMS_MAX ? claims : own).filter((one) => one !== first);
  const { price, payTo, network } = first ?? { price: null, payTo: null, network: null };
  const { otherClaims: _, ...row } = endpoint;
  const claim = { price, payTo, network };
  return { ...row, claim, list, listedIn: [list], ...(others.length === 0 ? {} : { otherClaims: others }) };
}
