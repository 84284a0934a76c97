import { type CrawlState, decodeCrawlState, encodeCrawlState } from '../../core/crawl/crawl-state.ts';
import type { CrawlRun } from '../../core/receipt/crawl-run.ts';
import type { JobRecord } from '../../ports/job-store.ts';
import type { CrawlPorts } from './crawl-ports.ts';
import { forgetPart, forgetWork } from './forget-crawl.ts';
import { CRAWL_JOB, claimer, whileHeld } from './lead-crawl.ts';
import { listEndpoints } from './list-endpoints.ts';
import { probeHosts } from './probe-hosts.ts';
import { publishRun } from './publish-run.ts';

export type Crawled =
  | { readonly kind: 'published'; readonly run: CrawlRun }
  /** Another process leads the crawl. */
  | { readonly kind: 'led_elsewhere' }
  | { readonly kind: 'not_due' }
  /** Stopped on request; the next leader resumes it. */
  | { readonly kind: 'stopped' };

const WEEK_MS = 7 * 86_400_000;

/**
 * Leads one run from its lists to its publication, or resumes an open one. Exactly one process leads; any number may help to
 * probe.
 */
export async function crawl({ always }: { readonly always: boolean }, ports: CrawlPorts): Promise<Crawled> {
  const { jobs, now } = ports;
  const claim = claimer(ports);
  // Read before claiming: a run that is not due must leave no trace.
  const before = await jobs.read(CRAWL_JOB);
  if (!always && !isWanted(before, now())) return { kind: 'not_due' };
  const record = await jobs.claim(claim());
  if (record === null) return { kind: 'led_elsewhere' };
  if (!always && !isWanted(record, now())) return { kind: 'not_due' };
  const last = decodeCrawlState(record.state);
  const isOpen = last !== null && last.phase !== 'published';
  const state = isOpen ? last : begin(last, ports);
  const led = { lost: false };
  const isStopped = () => led.lost || ports.isStopped();
  const save = async (next: CrawlState) => {
    if (!(await jobs.save(claim(), encodeCrawlState(next)))) led.lost = true;
  };
  const saved = { state };
  const letGo = async () => {
    await jobs.save({ ...claim(), leaseMs: 0 }, encodeCrawlState(saved.state));
  };
  const ledger: Ledger = {
    async save(next) {
      saved.state = next;
      await save(next);
    },
    finish: (next) => jobs.finish(claim(), encodeCrawlState(next)),
  };
  const crawled = await lead(state, isOpen, ledger, { ...ports, isStopped });
  // The next leader need not wait until the lease expires.
  if (crawled.kind === 'stopped' && !led.lost) await letGo();
  return crawled;
}

interface Ledger {
  readonly save: (state: CrawlState) => Promise<void>;
  readonly finish: (state: CrawlState) => Promise<boolean>;
}

async function lead(
  begun: CrawlState,
  resumed: boolean,
  { save, finish }: Ledger,
  ports: CrawlPorts,
): Promise<Crawled> {
  const { work, runs, onPhase } = ports;
  let state = begun;
  await runs.begin(state.runId, new Date(state.startedAt));
  await save(state);
  onPhase({ kind: 'begun', runId: state.runId, resumed });
  if (state.phase === 'listing') {
    state = await readLists(state, save, ports);
    if (ports.isStopped()) return { kind: 'stopped' };
    const listed = state;
    await whileHeld(work.seal(state.runId), () => save(listed), ports);
    state = { ...state, phase: 'probing' };
    await save(state);
  }
  const { urls, hosts, urlsLeft } = await work.progress(state.runId);
  onPhase({ kind: 'probing', urls, hosts, urlsLeft });
  await whileHeld(probeHosts(state.runId, ports.newId(), ports), () => save(state), ports);
  if (ports.isStopped()) return { kind: 'stopped' };
  const sources = new Map(Object.entries(state.sources));
  // After a crash between publishing and finishing, the run is published but its job is not finished.
  const latest = await runs.latest();
  const publishing = () => publishRun({ id: state.runId, crawledAt: ports.now(), sources }, runs);
  const run = latest?.id === state.runId ? latest : await whileHeld(publishing(), () => save(state), ports);
  // Before the job is finished: afterwards nothing refers to these rows.
  const forgetting = async () => {
    if (state.previousRunId !== null) await forgetWork(state.previousRunId, ports.work);
    await forgetPart(ports);
  };
  await whileHeld(forgetting(), () => save(state), ports);
  await finish({ ...state, phase: 'published' });
  onPhase({ kind: 'published', run });
  return { kind: 'published', run };
}

/** True for an open run, and a week after the last one. */
function isWanted(record: JobRecord | null, now: Date): boolean {
  const state = decodeCrawlState(record?.state ?? null);
  if (state !== null && state.phase !== 'published') return true;
  const finishedAt = record?.finishedAt ?? null;
  return finishedAt === null || now.getTime() - finishedAt.getTime() >= WEEK_MS;
}

function begin(last: CrawlState | null, { newId, now }: CrawlPorts): CrawlState {
  return {
    runId: newId(),
    phase: 'listing',
    startedAt: now().getTime(),
    sources: {},
    previousRunId: last?.runId ?? null,
    goodSizes: last?.goodSizes ?? {},
  };
}

/** One list after the other; a resumed run skips lists that were already read. */
async function readLists(begun: CrawlState, save: Ledger['save'], ports: CrawlPorts): Promise<CrawlState> {
  let state = begun;
  for (const list of ports.lists) {
    if (ports.isStopped()) return state;
    if (Object.hasOwn(state.sources, list.name)) continue;
    const previous = { runId: state.previousRunId, size: state.goodSizes[list.name] ?? null };
    const stop = new AbortController();
    const reading = listEndpoints(state.runId, list, previous, ports, stop.signal);
    const current = state;
    const { source, goodSize } = await whileHeld(
      reading,
      () => save(current),
      ports,
      () => {
        if (ports.isStopped()) stop.abort();
      },
    );
    // An aborted reading says nothing about the list: it is read again.
    if (stop.signal.aborted) return state;
    state = {
      ...state,
      sources: { ...state.sources, [list.name]: source },
      goodSizes: goodSize === null ? state.goodSizes : { ...state.goodSizes, [list.name]: goodSize },
    };
    await save(state);
    ports.onPhase({ kind: 'list_read', list: list.name, note: source.note, items: source.items });
  }
  return state;
}
