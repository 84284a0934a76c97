/** Limits on what a discovery list may send; lists are untrusted. */
export const LIST_ROWS_MAX = 1_000_000;
export const LIST_PAGES_MAX = 20_000;
export const LIST_PAGE_MAX_BYTES = 16_777_216;
export const LIST_ENTRY_MAX_BYTES = 262_144;
/** Everything of a page that is not an entry: counts, cursors, notes. */
export const LIST_ENVELOPE_MAX_BYTES = 262_144;
export const LIST_LINE_MAX_BYTES = 16_384;
export const LIST_TOTAL_MS = 1_800_000;
export const LIST_REQUEST_MS = 90_000;
export const LIST_TRIES = 4;
export const LIST_BACKOFF_MS = 2_000;
export const LIST_BACKOFF_MAX_MS = 30_000;
/** A list with a longer Retry-After is left for the next run. */
export const LIST_RETRY_AFTER_MAX_MS = 120_000;
/** Endpoints per batch. */
export const LIST_BATCH_ROWS = 500;

/** An address that a list only refers to, such as a partner's site, gets shorter timeouts than a list. */
export const LIST_ADDRESSES_MAX = 2_000;
export const LIST_ADDRESS_MS = 15_000;
export const LIST_ADDRESS_TRIES = 2;
export const LIST_ADDRESS_ROWS_MAX = 1_000;
/** A site is a scheme, host name and port; of one host name no more are read, and so many requests are in flight. */
export const LIST_HOST_SITES_MAX = 2;
export const LIST_HOST_AT_ONCE = 2;

/** Bounds within one entry. */
export const ENTRY_ENDPOINTS_MAX = 200;
export const SERVICE_NAME_MAX_CHARS = 80;

/** A list that came back smaller than this keeps its previous rows (gap G70). */
export const LIST_SHRUNK_PERCENT = 75;
/** After so many complete readings in a row whose sizes differ by at most a tenth, the list is believed. */
export const LIST_SETTLED_READINGS = 3;
export const LIST_SETTLED_PERCENT = 90;
