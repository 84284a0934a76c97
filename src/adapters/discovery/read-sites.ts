import { LIST_ADDRESS_ROWS_MAX } from '../../core/crawl/list-limits.ts';
import type { ListFault } from '../../core/crawl/list-outcome.ts';
import type { JsonList } from '../../core/crawl/list-settings.ts';
import type { ListedEndpoint } from '../../core/crawl/listed-endpoint.ts';
import type { EntryFault } from '../../core/crawl/read-listing.ts';
import { findAddresses } from './find-addresses.ts';
import type { Reading } from './read-page.ts';
import { readPages, type WalkEnd } from './read-pages.ts';
import { walkJson } from './walk-list.ts';

type Batches = AsyncGenerator<readonly ListedEndpoint[], WalkEnd>;

/** A list whose entries are at many addresses: some always fail; the list fails only if all do. */
export async function* readSites(reading: Reading, list: JsonList): Batches {
  const { limits } = reading.parts;
  const { urls, failures, fault } = await findAddresses(reading, list);
  const sum = siteSum(failures);
  if (fault !== null) return sum.end(fault);
  const patience = { requestMs: limits.addressMs, tries: limits.addressTries };
  const walks = urls.map((url) => () => readPages(reading, walkJson(url, list, patience)));
  for (let at = 0; at < walks.length && sum.goesOn(); at += list.atOnce) {
    const group = walks.slice(at, at + list.atOnce).map((walk) => walk());
    const [only] = group;
    // A single address is streamed; several are buffered, each up to its limit.
    if (group.length === 1 && only !== undefined) {
      sum.add(yield* only);
      continue;
    }
    for (const { endpoints, end } of await Promise.all(group.map(collect))) {
      yield endpoints;
      sum.add(end);
    }
  }
  return sum.end(null);
}

async function collect(walk: Batches) {
  const endpoints: ListedEndpoint[] = [];
  let tooMany = 0;
  for (;;) {
    const part = await walk.next();
    if (part.done === true) {
      const leftOut = new Map([
        ...part.value.leftOut,
        ...(tooMany > 0 ? [['too_many_endpoints', tooMany] as const] : []),
      ]);
      return { endpoints, end: { ...part.value, items: endpoints.length, leftOut } };
    }
    const taken = part.value.slice(0, LIST_ADDRESS_ROWS_MAX - endpoints.length);
    tooMany += part.value.length - taken.length;
    endpoints.push(...taken);
  }
}

function siteSum(failures: number) {
  const leftOut = new Map<EntryFault, number>(failures === 0 ? [] : [['address_failed', failures]]);
  let items = 0;
  let answered = 0;
  let lastFault: ListFault | null = null;
  let cut: WalkEnd['cut'] = null;
  const count = (fault: EntryFault, more: number) => leftOut.set(fault, (leftOut.get(fault) ?? 0) + more);
  return {
    add(end: WalkEnd): void {
      items += end.items;
      for (const [fault, more] of end.leftOut) count(fault, more);
      if (end.fault === null) answered += 1;
      else count('address_failed', 1);
      lastFault = end.fault ?? lastFault;
      if (end.cut === 'row_limit' || end.cut === 'page_limit') cut = end.cut;
    },
    /** All addresses share limits, deadline and consumer. */
    goesOn: () => cut === null && lastFault?.kind !== 'too_slow' && lastFault?.kind !== 'cancelled',
    end(fault: ListFault | null): WalkEnd {
      const isOver = lastFault?.kind === 'too_slow' || lastFault?.kind === 'cancelled';
      const failed = fault ?? (answered === 0 || isOver ? lastFault : null);
      return { fault: failed, cut, items, leftOut, announced: null };
    },
  };
}
