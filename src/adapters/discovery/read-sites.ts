import { LIST_ADDRESS_ROWS_MAX } from '../../core/crawl/list-limits.ts';
import type { ListFault } from '../../core/crawl/list-outcome.ts';
import type { JsonList } from '../../core/crawl/list-settings.ts';
import type { ListedEndpoint } from '../../core/crawl/listed-endpoint.ts';
import type { EntryFault } from '../../core/crawl/read-listing.ts';
import { type DocumentSum, documentSum } from './document-sum.ts';
import { findAddresses } from './find-addresses.ts';
import { hostBatches } from './host-limits.ts';
import type { Reading } from './read-page.ts';
import { readPages, type WalkEnd } from './read-pages.ts';
import { walkJson } from './walk-list.ts';

type Batches = AsyncGenerator<readonly ListedEndpoint[], WalkEnd>;

/** A list whose entries are at many addresses: some always fail; the list fails only if all do. */
export async function* readSites(reading: Reading, list: JsonList): Batches {
  const { limits } = reading.parts;
  const documents = documentSum();
  const { urls, failures, fault } = await findAddresses(reading, list, documents);
  const sum = siteSum(failures, documents);
  if (fault !== null) return sum.end(fault);
  const patience = { requestMs: limits.addressMs, tries: limits.addressTries };
  for (const batch of hostBatches(urls, list.atOnce)) {
    if (!sum.goesOn()) break;
    const group = batch.map((url) => ({ url, walk: readPages(reading, walkJson(url, list, patience)) }));
    const [only] = group;
    // A single address is streamed; several are buffered, each up to its limit.
    if (group.length === 1 && only !== undefined) {
      sum.add(only.url, yield* only.walk);
      continue;
    }
    for (const { url, endpoints, end } of await Promise.all(group.map(collect))) {
      yield endpoints;
      sum.add(url, end);
    }
  }
  return sum.end(null);
}

async function collect({ url, walk }: { readonly url: string; readonly walk: Batches }) {
  const endpoints: ListedEndpoint[] = [];
  let tooMany = 0;
  for (;;) {
    const part = await walk.next();
    if (part.done === true) {
      const leftOut = new Map([
        ...part.value.leftOut,
        ...(tooMany > 0 ? [['too_many_endpoints', tooMany] as const] : []),
      ]);
      return { url, endpoints, end: { ...part.value, items: endpoints.length, leftOut } };
    }
    const taken = part.value.slice(0, LIST_ADDRESS_ROWS_MAX - endpoints.length);
    tooMany += part.value.length - taken.length;
    endpoints.push(...taken);
  }
}

function siteSum(failures: number, documents: DocumentSum) {
  const leftOut = new Map<EntryFault, number>(failures === 0 ? [] : [['address_failed', failures]]);
  let items = 0;
  let answered = 0;
  let lastFault: ListFault | null = null;
  let cut: WalkEnd['cut'] = null;
  const count = (fault: EntryFault, more: number) => leftOut.set(fault, (leftOut.get(fault) ?? 0) + more);
  return {
    add(url: string, end: WalkEnd): void {
      items += end.items;
      for (const [fault, more] of end.leftOut) count(fault, more);
      if (end.fault === null) {
        answered += 1;
        documents.add(url, end.sha256);
      } else count('address_failed', 1);
      lastFault = end.fault ?? lastFault;
      if (end.cut === 'row_limit' || end.cut === 'page_limit') cut = end.cut;
    },
    /** All addresses share limits, deadline and consumer. */
    goesOn: () => cut === null && lastFault?.kind !== 'too_slow' && lastFault?.kind !== 'cancelled',
    end(fault: ListFault | null): WalkEnd {
      const isOver = lastFault?.kind === 'too_slow' || lastFault?.kind === 'cancelled';
      const failed = fault ?? (answered === 0 || isOver ? lastFault : null);
      return { fault: failed, cut, items, leftOut, announced: null, sha256: documents.end() };
    },
  };
}
