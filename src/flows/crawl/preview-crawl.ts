import { decodeCrawlState, openRun } from '../../core/crawl/crawl-state.ts';
import type { CrawlRun, ListSource } from '../../core/receipt/crawl-run.ts';
import type { CrawlPorts } from './crawl-ports.ts';
import { forgetPart, notePart } from './forget-crawl.ts';
import { CRAWL_JOB, leadCrawl } from './lead-crawl.ts';
import { listEndpoints } from './list-endpoints.ts';
import { probeHosts } from './probe-hosts.ts';
import { summarizeRun } from './publish-run.ts';

export type Previewed =
  | { readonly kind: 'shown'; readonly run: CrawlRun }
  | { readonly kind: 'led_elsewhere' }
  /** A run is open: it goes first, because workers may still probe its hosts. */
  | { readonly kind: 'run_open' }
  | { readonly kind: 'stopped' };

/**
 * Checks some lists, or the beginning of each, like a whole run and shows the result. Nothing of it is published or kept (gap
 * L20): in half a run all other sellers would seem to vanish.
 */
export async function previewCrawl(ports: CrawlPorts): Promise<Previewed> {
  if (isOpen(await ports.jobs.read(CRAWL_JOB))) return { kind: 'run_open' };
  const lead = await leadCrawl(ports);
  if (lead === null) return { kind: 'led_elsewhere' };
  const isStopped = () => lead.isLost() || ports.isStopped();
  try {
    if (isOpen(lead.record)) return { kind: 'run_open' };
    return await lead.whileHeld(lookAt({ ...ports, isStopped }));
  } finally {
    if (!lead.isLost()) await forgetPart(ports);
    await lead.letGo();
  }
}

const NO_PREVIOUS = { runId: null, size: null, earlier: [] };

async function lookAt(ports: CrawlPorts): Promise<Previewed> {
  const { work, runs, onPhase, now } = ports;
  await forgetPart(ports);
  const runId = ports.newId();
  await notePart(runId, ports);
  await runs.begin(runId, now());
  onPhase({ kind: 'begun', runId, resumed: false });
  const sources = new Map<string, ListSource>();
  for (const list of ports.lists) {
    if (ports.isStopped()) return { kind: 'stopped' };
    const { source } = await listEndpoints(runId, list, NO_PREVIOUS, ports);
    sources.set(list.name, source);
    onPhase({ kind: 'list_read', list: list.name, note: source.note, items: source.items });
  }
  const { urls, hosts, urlsLeft } = await work.seal(runId);
  onPhase({ kind: 'probing', urls, hosts, urlsLeft });
  await probeHosts(runId, ports.newId(), ports);
  if (ports.isStopped()) return { kind: 'stopped' };
  const { run } = await summarizeRun({ id: runId, crawledAt: now(), sources }, runs);
  onPhase({ kind: 'shown', run });
  return { kind: 'shown', run };
}

function isOpen(record: { readonly state: string | null } | null): boolean {
  return openRun(decodeCrawlState(record?.state ?? null)) !== null;
}
