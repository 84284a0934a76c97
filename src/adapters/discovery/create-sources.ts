import type { ListOutcome } from '../../core/crawl/list-outcome.ts';
import type { DiscoveryList } from '../../core/crawl/list-settings.ts';
import type { DiscoverySource, ListPart } from '../../ports/discovery.ts';
import type { Reading, ReadingParts } from './read-page.ts';
import { readPages, type WalkEnd } from './read-pages.ts';
import { readSites } from './read-sites.ts';
import { walkJson, walkMarkdown } from './walk-list.ts';

/** The configured lists as sources, in order. */
export function createSources(lists: readonly DiscoveryList[], parts: ReadingParts): DiscoverySource[] {
  return lists.map((list) => ({
    name: list.name,
    read: (signal = new AbortController().signal) => readList(list, parts, signal),
  }));
}

type ReadableList = Exclude<DiscoveryList, { format: 'skipped' }>;

async function* readList(
  list: DiscoveryList,
  parts: ReadingParts,
  signal: AbortSignal,
): AsyncGenerator<ListPart> {
  if (list.format === 'skipped') {
    yield { kind: 'ended', outcome: { kind: 'skipped', note: list.note } };
    return;
  }
  const batches = openList(list, parts, signal);
  try {
    for (let part = await batches.next(); ; part = await batches.next()) {
      if (part.done === true) {
        yield { kind: 'ended', outcome: outcomeOf(part.value) };
        return;
      }
      if (part.value.length > 0) yield { kind: 'endpoints', endpoints: part.value };
    }
  } finally {
    // A consumer that leaves early aborts the request; at the end this does nothing.
    await batches.return(LEFT);
  }
}

const LEFT: WalkEnd = {
  fault: { kind: 'cancelled' },
  cut: null,
  items: 0,
  leftOut: new Map(),
  announced: null,
  sha256: null,
};

function openList(list: ReadableList, parts: ReadingParts, signal: AbortSignal) {
  const { limits } = parts;
  const reading: Reading = {
    parts,
    signal,
    endsAtMs: parts.now().getTime() + limits.totalMs,
    room: { entries: limits.rows, pages: limits.pages },
  };
  const patience = { requestMs: limits.requestMs, tries: limits.tries };
  if (list.format === 'markdown') return readPages(reading, walkMarkdown(list, patience));
  return list.via.length === 0
    ? readPages(reading, walkJson(list.url, list, patience))
    : readSites(reading, list);
}

function outcomeOf({ fault, cut, items, leftOut, announced, sha256 }: WalkEnd): ListOutcome {
  const counts = { items, leftOut, announced };
  if (fault !== null) return { kind: 'failed', fault, ...counts };
  return { kind: 'read', cut, ...counts, ...(sha256 === null ? {} : { sha256 }) };
}
