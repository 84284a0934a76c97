import { createHash, type Hash } from 'node:crypto';
import type { ListCut, ListFault } from '../../core/crawl/list-outcome.ts';
import {
  announcedTotal,
  FIRST_PAGE,
  isPastTheEnd,
  nextPage,
  type PagePlace,
  type Paging,
  pageUrl,
} from '../../core/crawl/page-walk.ts';
import type { EntryFault } from '../../core/crawl/read-listing.ts';
import type { PageRead, PageRequest } from './read-attempt.ts';
import { type Patience, type Reading, readPage } from './read-page.ts';

/** The result of walking through the pages of one address. */
export interface WalkEnd {
  readonly fault: ListFault | null;
  readonly cut: ListCut | null;
  readonly items: number;
  readonly leftOut: ReadonlyMap<EntryFault, number>;
  readonly announced: number | null;
  /** Over the decoded bodies of the pages that count, in order, in hex; null when the last one was cut. */
  readonly sha256: string | null;
}

export interface Walk<T> extends PageRequest<T> {
  readonly paging: Paging;
  readonly patience: Patience;
}

/** Page after page, until the list ends, fails, repeats itself or reaches a limit. */
export async function* readPages<T>(
  reading: Reading,
  { paging, patience, ...request }: Walk<T>,
): AsyncGenerator<readonly T[], WalkEnd> {
  const counts = walkCounts();
  const digests = new Set<string>();
  let place: PagePlace = FIRST_PAGE;
  for (;;) {
    const usedUp = limitReached(reading);
    if (usedUp !== null) return counts.end({ cut: usedUp });
    const url = pageUrl(request.url, paging, place);
    const page = yield* readPage(reading, { ...request, url, bytesBefore: counts.bytes() }, patience);
    if (page.kind === 'failed') {
      const status = page.fault.kind === 'http_status' ? page.fault.status : 0;
      const isOver = isPastTheEnd(status, place, counts.announced());
      return counts.end(isOver ? {} : { fault: page.fault });
    }
    if (page.entries > 0 && digests.has(page.digest)) return counts.end({ cut: 'repeated_page' });
    digests.add(page.digest);
    counts.add(page);
    if (page.isCut) return counts.end({ cut: 'row_limit' });
    const next = nextPage(paging, place, page);
    if (next.kind === 'end') return counts.end({});
    if (next.kind === 'lost') return counts.end({ fault: { kind: 'lost_cursor' } });
    place = next.place;
  }
}

/** The limits are shared: a concurrent reader may have used the rest. */
function limitReached({ room }: Reading): ListCut | null {
  if (room.pages <= 0) return 'page_limit';
  return room.entries <= 0 ? 'row_limit' : null;
}

function walkCounts() {
  const leftOut = new Map<EntryFault, number>();
  let items = 0;
  let announced: number | null = null;
  let bytes = createHash('sha256');
  let isWhole = true;
  return {
    add(page: PageRead): void {
      bytes = page.bytes ?? bytes;
      isWhole = page.bytes !== null;
      items += page.items;
      announced = announcedTotal(page.envelope) ?? announced;
      for (const [fault, count] of page.leftOut) leftOut.set(fault, (leftOut.get(fault) ?? 0) + count);
    },
    announced: () => announced,
    bytes: (): Hash => bytes,
    end: ({ fault = null, cut = null }: Partial<Pick<WalkEnd, 'fault' | 'cut'>>): WalkEnd => ({
      fault,
      cut,
      items,
      leftOut,
      announced,
      sha256: isWhole ? bytes.copy().digest('hex') : null,
    }),
  };
}
