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
import { CRAWL_JOB, type CrawlLead, leadCrawl } from './lead-crawl.ts';
import { listEndpoints } from './list-endpoints.ts';
import { probeHosts } from './probe-hosts.ts';
import { type PublishOptions, publishRun } from './publish-run.ts';

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

export interface CrawlOptions extends PublishOptions {
  /** Also when it is not due. */
  readonly always: boolean;
}

/**
 * Leads one run from its lists to its publication, or resumes an open one. Exactly one process leads; any number may help to
 * probe.
 */
export async function crawl(options: CrawlOptions, ports: CrawlPorts): Promise<Crawled> {
  const { jobs, now } = ports;
  const mayBegin = (record: JobRecord | null) => options.always || isWanted(record, now());
  // Read before claiming: a run that is not due must leave no trace.
  if (!mayBegin(await jobs.read(CRAWL_JOB))) return { kind: 'not_due' };
  const lead = await leadCrawl(ports);
  if (lead === null) return { kind: 'led_elsewhere' };
  if (!mayBegin(lead.record)) return { kind: 'not_due' };
  const last = await withoutOld(decodeCrawlState(lead.record.state), lead, ports);
  // The leader that held it may have died before it deleted everything.
  if (last?.phase === 'held') await lead.whileHeld(forgetRun(last.runId, ports));
  const isStopped = () => lead.isLost() || ports.isStopped();
  const crawled = await leadRun(last, options, lead, { ...ports, isStopped });
  if (crawled.kind === 'stopped') await lead.letGo();
  return crawled;
}

/**
 * A run that was left open until nothing of it would count in a snapshot is given up: published now, it would say of verdicts of then
 * that they are of today. One that is published is only to be finished.
 */
async function withoutOld(
  last: CrawlState | null,
  lead: CrawlLead,
  { runs, now }: CrawlPorts,
): Promise<CrawlState | null> {
  const open = openRun(last);
  if (open === null || snapshotEnd(new Date(open.startedAt)) > now()) return last;
  if ((await runs.latest())?.id === open.runId) return last;
  const given: CrawlState = { ...open, phase: 'held', retryAt: now().getTime(), sources: {} };
  await save(given, lead);
  return given;
}

async function leadRun(
  last: CrawlState | null,
  options: CrawlOptions,
  lead: CrawlLead,
  ports: CrawlPorts,
): Promise<Crawled> {
  const { work, runs, onPhase } = ports;
  const open = openRun(last);
  let state = open ?? newRun(last, ports);
  await runs.begin(state.runId, new Date(state.startedAt));
  await save(state, lead);
  onPhase({ kind: 'begun', runId: state.runId, resumed: open !== null });
  if (state.phase === 'listing') {
    state = await readLists(state, lead, ports);
    if (ports.isStopped()) return { kind: 'stopped' };
    const reason = options.publishAnyway ? null : holdForLists(Object.values(state.sources));
    if (reason !== null) return hold(state, reason, lead, ports);
    await lead.whileHeld(work.seal(state.runId));
    state = { ...state, phase: 'probing' };
    await save(state, lead);
  }
  const { urls, hosts, urlsLeft } = await work.progress(state.runId);
  onPhase({ kind: 'probing', urls, hosts, urlsLeft });
  await lead.whileHeld(probeHosts(state.runId, ports.newId(), ports));
  if (ports.isStopped()) return { kind: 'stopped' };
  return publish(state, options, lead, ports);
}

async function publish(
  state: CrawlState,
  options: PublishOptions,
  lead: CrawlLead,
  ports: CrawlPorts,
): Promise<Crawled> {
  const { runId, previousRunId, sources } = state;
  const finished = { id: runId, crawledAt: ports.now(), sources: new Map(Object.entries(sources)) };
  const publication = await lead.whileHeld(publishRun(finished, options, ports));
  if (publication.kind === 'unfit') return hold(state, publication.reason, lead, ports);
  const { run } = publication;
  const { afterPublishing = async () => {} } = ports;
  await lead.whileHeld(afterPublishing().catch(() => {}));
  // Before the job is finished: afterwards nothing refers to these rows.
  if (previousRunId !== null) await lead.whileHeld(forgetWork(previousRunId, ports.work));
  await lead.whileHeld(forgetPart(ports));
  const { pauseMs: _, ...published } = state;
  await lead.finish(encodeCrawlState({ ...published, phase: 'published' }));
  ports.onPhase({ kind: 'published', run });
  return { kind: 'published', run };
}

/** Deletes a run that is not fit to be published. What it found out about its lists is worth nothing, too. */
async function hold(
  { runId, startedAt, previousRunId, goodSizes, pauseMs: lastPauseMs }: CrawlState,
  reason: HoldReason,
  lead: CrawlLead,
  ports: CrawlPorts,
): Promise<Crawled> {
  const pauseMs = pauseAfterHold(lastPauseMs ?? null);
  const retryAt = ports.now().getTime() + pauseMs;
  const kept = { runId, startedAt, previousRunId, goodSizes };
  const held: CrawlState = { ...kept, phase: 'held', retryAt, pauseMs, sources: {} };
  // First of all: half a run must not be resumed.
  await save(held, lead);
  await lead.whileHeld(forgetRun(runId, ports));
  await lead.finish(encodeCrawlState(held));
  ports.onPhase({ kind: 'held', reason, retryAt: new Date(retryAt) });
  return { kind: 'held', reason };
}

function save(state: CrawlState, lead: CrawlLead): Promise<void> {
  return lead.save(encodeCrawlState(state));
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

function newRun(last: CrawlState | null, { newId, now }: CrawlPorts): CrawlState {
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
async function readLists(begun: CrawlState, lead: CrawlLead, ports: CrawlPorts): Promise<CrawlState> {
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
    const abortWhenStopped = () => {
      if (ports.isStopped()) stop.abort();
    };
    const reading = listEndpoints(state.runId, list, previous, ports, stop.signal);
    const { source, goodSize } = await lead.whileHeld(reading, abortWhenStopped);
    // An aborted reading says nothing about the list: it is read again.
    if (stop.signal.aborted) return state;
    state = {
      ...state,
      sources: { ...state.sources, [list.name]: source },
      goodSizes: goodSize === null ? state.goodSizes : { ...state.goodSizes, [list.name]: goodSize },
    };
    await save(state, lead);
    ports.onPhase({ kind: 'list_read', list: list.name, note: source.note, items: source.items });
  }
  return state;
}
