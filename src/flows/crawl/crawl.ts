import {
  type CrawlState,
  decodeCrawlState,
  encodeCrawlState,
  openRun,
} from '../../core/crawl/crawl-state.ts';
import { type HoldReason, holdForLists, PAUSE_MAX_MS, pauseAfterHold } from '../../core/crawl/hold-run.ts';
import { LIST_SETTLED_READINGS } from '../../core/crawl/list-limits.ts';
import { isDatedAhead } from '../../core/is-dated-ahead.ts';
import type { CrawlRun } from '../../core/receipt/crawl-run.ts';
import { snapshotEnd } from '../../core/snapshot/snapshot-manifest.ts';
import type { JobRecord } from '../../ports/job-store.ts';
import type { CrawlPorts } from './crawl-ports.ts';
import { forgetPart, forgetRun, forgetWork } from './forget-crawl.ts';
import { CRAWL_JOB, claimer, whileHeld } from './lead-crawl.ts';
import { listEndpoints } from './list-endpoints.ts';
import { probeHosts } from './probe-hosts.ts';
import { publishRun } from './publish-run.ts';

export type Crawled =
  | { readonly kind: 'published'; readonly run: CrawlRun }
  /** Another process leads the crawl. */
  | { readonly kind: 'led_elsewhere' }
  | { readonly kind: 'not_due' }
  /** The run says more about our own connection than about the endpoints; the previous one stays (gap L81). */
  | { readonly kind: 'held'; readonly reason: HoldReason }
  /** Stopped on request; the next leader resumes it. */
  | { readonly kind: 'stopped' };

const WEEK_MS = 7 * 86_400_000;

export interface CrawlWish {
  /** Also when it is not due. */
  readonly always: boolean;
  /** Publishes a run that would be held. */
  readonly anyway?: boolean;
}

/**
 * Leads one run from its lists to its publication, or resumes an open one. Exactly one process leads; any number may help to
 * probe.
 */
export async function crawl({ always, anyway = false }: CrawlWish, ports: CrawlPorts): Promise<Crawled> {
  const { jobs, now } = ports;
  const claim = claimer(ports);
  // Read before claiming: a run that is not due must leave no trace.
  const before = await jobs.read(CRAWL_JOB);
  if (!always && !isWanted(before, now())) return { kind: 'not_due' };
  const record = await jobs.claim(claim());
  if (record === null) return { kind: 'led_elsewhere' };
  if (!always && !isWanted(record, now())) return { kind: 'not_due' };
  const led = { lost: false };
  const isStopped = () => led.lost || ports.isStopped();
  const save = async (next: CrawlState) => {
    if (!(await jobs.save(claim(), encodeCrawlState(next)))) led.lost = true;
  };
  const last = await withoutOld(decodeCrawlState(record.state), save, ports);
  const open = openRun(last);
  // The leader that held it may have died before it deleted everything.
  if (last?.phase === 'held') await whileHeld(forgetRun(last.runId, ports), () => save(last), ports);
  const state = open ?? begin(last, ports);
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
  const crawled = await lead(state, { resumed: open !== null, anyway }, ledger, { ...ports, isStopped });
  // The next leader need not wait until the lease expires.
  if (crawled.kind === 'stopped' && !led.lost) await letGo();
  return crawled;
}

/**
 * A run that was left open until nothing of it would count in a snapshot is given up: published now, it would say of verdicts of then
 * that they are of today. One that is published is only to be finished.
 */
async function withoutOld(
  last: CrawlState | null,
  save: Ledger['save'],
  { runs, now }: CrawlPorts,
): Promise<CrawlState | null> {
  const open = openRun(last);
  if (open === null || snapshotEnd(new Date(open.startedAt)) > now()) return last;
  if ((await runs.latest())?.id === open.runId) return last;
  const given: CrawlState = { ...open, phase: 'held', retryAt: now().getTime(), sources: {} };
  await save(given);
  return given;
}

interface Ledger {
  readonly save: (state: CrawlState) => Promise<void>;
  readonly finish: (state: CrawlState) => Promise<boolean>;
}

async function lead(
  begun: CrawlState,
  { resumed, anyway }: { readonly resumed: boolean; readonly anyway: boolean },
  ledger: Ledger,
  ports: CrawlPorts,
): Promise<Crawled> {
  const { work, runs, onPhase } = ports;
  const { save, finish } = ledger;
  let state = begun;
  await runs.begin(state.runId, new Date(state.startedAt));
  await save(state);
  onPhase({ kind: 'begun', runId: state.runId, resumed });
  if (state.phase === 'listing') {
    state = await readLists(state, save, ports);
    if (ports.isStopped()) return { kind: 'stopped' };
    const reason = anyway ? null : holdForLists(Object.values(state.sources));
    if (reason !== null) return hold(state, reason, ledger, ports);
    const listed = state;
    await whileHeld(work.seal(state.runId), () => save(listed), ports);
    state = { ...state, phase: 'probing' };
    await save(state);
  }
  const { urls, hosts, urlsLeft } = await work.progress(state.runId);
  onPhase({ kind: 'probing', urls, hosts, urlsLeft });
  await whileHeld(probeHosts(state.runId, ports.newId(), ports), () => save(state), ports);
  if (ports.isStopped()) return { kind: 'stopped' };
  const finished = {
    id: state.runId,
    crawledAt: ports.now(),
    sources: new Map(Object.entries(state.sources)),
  };
  const publication = await whileHeld(publishRun(finished, anyway, ports), () => save(state), ports);
  if (publication.kind === 'unfit') return hold(state, publication.reason, ledger, ports);
  const { run } = publication;
  const { afterPublishing = async () => {} } = ports;
  await whileHeld(
    afterPublishing().catch(() => {}),
    () => save(state),
    ports,
  );
  // Before the job is finished: afterwards nothing refers to these rows.
  const forgetting = async () => {
    if (state.previousRunId !== null) await forgetWork(state.previousRunId, ports.work);
    await forgetPart(ports);
  };
  await whileHeld(forgetting(), () => save(state), ports);
  const { pauseMs: _, ...published } = state;
  await finish({ ...published, phase: 'published' });
  onPhase({ kind: 'published', run });
  return { kind: 'published', run };
}

/** Deletes a run that is not fit to be published. What it found out about its lists is worth nothing, too. */
async function hold(
  { runId, startedAt, previousRunId, goodSizes, pauseMs: lastPauseMs }: CrawlState,
  reason: HoldReason,
  { save, finish }: Ledger,
  ports: CrawlPorts,
): Promise<Crawled> {
  const pauseMs = pauseAfterHold(lastPauseMs ?? null);
  const retryAt = ports.now().getTime() + pauseMs;
  const kept = { runId, startedAt, previousRunId, goodSizes };
  const held: CrawlState = { ...kept, phase: 'held', retryAt, pauseMs, sources: {} };
  // First of all: half a run must not be resumed.
  await save(held);
  await whileHeld(forgetRun(runId, ports), () => save(held), ports);
  await finish(held);
  ports.onPhase({ kind: 'held', reason, retryAt: new Date(retryAt) });
  return { kind: 'held', reason };
}

/** True for an open run, the pause after one that was held, and a week after the last one. */
function isWanted(record: JobRecord | null, now: Date): boolean {
  const state = decodeCrawlState(record?.state ?? null);
  if (openRun(state) !== null) return true;
  if (state?.phase === 'held') return isOver(state.retryAt ?? 0, PAUSE_MAX_MS, now);
  const finishedAt = record?.finishedAt ?? null;
  return finishedAt === null || isOver(finishedAt.getTime() + WEEK_MS, WEEK_MS, now);
}

/** Also when it begins in the future: then a wrong clock has set the end. */
function isOver(endsAtMs: number, lengthMs: number, now: Date): boolean {
  return endsAtMs <= now.getTime() || isDatedAhead(endsAtMs - lengthMs, now);
}

function begin(last: CrawlState | null, { newId, now }: CrawlPorts): CrawlState {
  return {
    runId: newId(),
    phase: 'listing',
    startedAt: now().getTime(),
    sources: {},
    previousRunId: (last?.phase === 'held' ? last.previousRunId : last?.runId) ?? null,
    goodSizes: last?.goodSizes ?? {},
    ...(last?.phase === 'held' && last.pauseMs !== undefined ? { pauseMs: last.pauseMs } : {}),
  };
}

/** One list after the other; a resumed run skips lists that were already read. */
async function readLists(begun: CrawlState, save: Ledger['save'], ports: CrawlPorts): Promise<CrawlState> {
  let state = begun;
  const earlierRuns = await ports.runs.recent(LIST_SETTLED_READINGS - 1);
  for (const list of ports.lists) {
    if (ports.isStopped()) return state;
    if (Object.hasOwn(state.sources, list.name)) continue;
    const previous = {
      runId: state.previousRunId,
      size: state.goodSizes[list.name] ?? null,
      earlier: earlierRuns.flatMap(({ sources }) => sources.get(list.name) ?? []),
    };
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
