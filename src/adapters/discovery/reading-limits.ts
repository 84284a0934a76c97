import {
  LIST_ADDRESS_MS,
  LIST_ADDRESS_TRIES,
  LIST_ADDRESSES_MAX,
  LIST_PAGE_MAX_BYTES,
  LIST_PAGES_MAX,
  LIST_REQUEST_MS,
  LIST_ROWS_MAX,
  LIST_TOTAL_MS,
  LIST_TRIES,
} from '../../core/crawl/list-limits.ts';

/** Timeouts and retries for one list. */
export interface ReadingLimits {
  readonly rows: number;
  readonly pages: number;
  readonly pageBytes: number;
  readonly totalMs: number;
  readonly requestMs: number;
  readonly tries: number;
  readonly addresses: number;
  readonly addressMs: number;
  readonly addressTries: number;
}

export const READING_LIMITS: ReadingLimits = {
  rows: LIST_ROWS_MAX,
  pages: LIST_PAGES_MAX,
  pageBytes: LIST_PAGE_MAX_BYTES,
  totalMs: LIST_TOTAL_MS,
  requestMs: LIST_REQUEST_MS,
  tries: LIST_TRIES,
  addresses: LIST_ADDRESSES_MAX,
  addressMs: LIST_ADDRESS_MS,
  addressTries: LIST_ADDRESS_TRIES,
};
