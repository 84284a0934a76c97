import type { JsonObject } from '../x402/read-json.ts';
import { firstRead, type Path, valueAt } from './field-paths.ts';
import { USUAL_TOTALS } from './listing-fields.ts';

/** The pagination of a list; names are those of its query parameters. */
export type Paging =
  | { readonly by: 'none' }
  | {
      readonly by: 'offset';
      readonly offset: string;
      readonly limit: string;
      readonly size: number;
      /** The highest offset that the list serves. */
      readonly lastOffset: number | null;
    }
  | {
      readonly by: 'page';
      readonly page: string;
      readonly first: number;
      readonly limit: string;
      readonly size: number;
    }
  | {
      readonly by: 'cursor';
      readonly cursor: string;
      /** Where a page keeps the cursor of the next one. */
      readonly next: Path;
      readonly limit: string;
      readonly size: number;
    };

/** The position of a walk through the pages. */
export interface PagePlace {
  readonly page: number;
  /** Entries of all pages before. */
  readonly offset: number;
  readonly cursor: string | null;
}

export const FIRST_PAGE: PagePlace = { page: 0, offset: 0, cursor: null };

export interface PageSeen {
  readonly entries: number;
  /** The page without its entries; null when there is too much of it. */
  readonly envelope: JsonObject | null;
}

export type NextPage =
  | { readonly kind: 'page'; readonly place: PagePlace }
  | { readonly kind: 'end' }
  /** The list goes on, but the cursor cannot be read. */
  | { readonly kind: 'lost' };

export function pageUrl(url: string, paging: Paging, place: PagePlace): string {
  if (paging.by === 'none') return url;
  const address = new URL(url);
  address.searchParams.set(paging.limit, String(paging.size));
  if (paging.by === 'offset') address.searchParams.set(paging.offset, String(place.offset));
  if (paging.by === 'page') address.searchParams.set(paging.page, String(paging.first + place.page));
  if (paging.by === 'cursor' && place.cursor !== null) address.searchParams.set(paging.cursor, place.cursor);
  return address.href;
}

/** An empty page is the last. A short page is the last only if the count agrees: servers cap the page size. */
export function nextPage(paging: Paging, place: PagePlace, { entries, envelope }: PageSeen): NextPage {
  if (paging.by === 'none' || entries === 0) return { kind: 'end' };
  const next = { page: place.page + 1, offset: place.offset + entries, cursor: null };
  if (paging.by === 'cursor') return byCursor(paging.next, next, place, envelope);
  const total = announcedTotal(envelope);
  if (entries < paging.size && total !== null && next.offset >= total) return { kind: 'end' };
  if (paging.by === 'offset' && paging.lastOffset !== null && next.offset > paging.lastOffset)
    return { kind: 'end' };
  return { kind: 'page', place: next };
}

function byCursor(path: Path, next: PagePlace, place: PagePlace, envelope: JsonObject | null): NextPage {
  if (envelope === null) return { kind: 'lost' };
  const cursor = readCursor(valueAt(envelope, path));
  if (cursor === null || cursor === place.cursor) return { kind: 'end' };
  return { kind: 'page', place: { ...next, cursor } };
}

const CURSOR_MAX_CHARS = 1_024;

function readCursor(value: unknown): string | null {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : null;
  return typeof value === 'string' && value !== '' && value.length <= CURSOR_MAX_CHARS ? value : null;
}

/** The number of entries that a list announces. */
export function announcedTotal(envelope: JsonObject | null): number | null {
  if (envelope === null) return null;
  return firstRead([envelope], USUAL_TOTALS, (value) =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null,
  );
}

const PAST_THE_END: ReadonlySet<number> = new Set([400, 404, 416, 422]);

/** Some lists answer a page beyond the last with an error; it counts as one only while entries are missing. */
export function isPastTheEnd(status: number, place: PagePlace, announced: number | null): boolean {
  return place.page > 0 && PAST_THE_END.has(status) && (announced === null || place.offset >= announced);
}
