import type { ListSource } from '../receipt/crawl-run.ts';
import { LIST_SETTLED_PERCENT, LIST_SETTLED_READINGS, LIST_SHRUNK_PERCENT } from './list-limits.ts';
import type { EntryFault } from './read-listing.ts';

/** Why a list could not be complete. */
export type ListFault =
  | { readonly kind: 'http_status'; readonly status: number }
  | { readonly kind: Exclude<keyof typeof FAULT_WORDS, 'http_status'> };

/** Why reading stopped before the end of a list that is not faulty. */
export type ListCut = 'row_limit' | 'page_limit' | 'repeated_page';

export interface ListCounts {
  /** Endpoints passed on, repeated ones included. */
  readonly items: number;
  /** What was left out, by reason. */
  readonly leftOut: ReadonlyMap<EntryFault, number>;
  /** The number of entries that the list announces. */
  readonly announced: number | null;
}

/** How reading one list ended. */
export type ListOutcome =
  | ({
      readonly kind: 'read';
      readonly cut: ListCut | null;
      /** The hash of what was read, in hex; left out when the reading stopped inside of a page. */
      readonly sha256?: string;
    } & ListCounts)
  /** What was passed on is not the whole list. */
  | ({ readonly kind: 'failed'; readonly fault: ListFault } & ListCounts)
  /** Not read on purpose; the note is the operator's. */
  | { readonly kind: 'skipped'; readonly note: string };

/** The list's entry in the summary of a run, in our own words. */
export function listSource(outcome: ListOutcome): ListSource {
  if (outcome.kind === 'skipped') return { ok: false, items: null, skipped: true, note: outcome.note };
  if (outcome.kind === 'failed')
    return { ok: false, items: null, skipped: false, note: faultWords(outcome.fault) };
  const { items, cut, leftOut, announced, sha256 } = outcome;
  const parts = [
    cut === null ? COMPLETE : CUT_WORDS[cut],
    ...(announced === null ? [] : [`announces ${announced}`]),
    ...(leftOut.size === 0 ? [] : [`excluded: ${leftOutWords(leftOut)}`]),
  ];
  const hashed = sha256 === undefined ? {} : { sha256 };
  return { ok: true, items, skipped: false, note: parts.join('; '), ...hashed };
}

/** The first word of the note of a list that was read to its end. */
const COMPLETE = 'complete';

export interface PreviousReadings {
  /** The last good size; null when there is none. */
  readonly size: number | null;
  /** The entries of the list in the runs before this one, newest first. */
  readonly earlier: readonly ListSource[];
}

/** A list that failed or shrank too much is taken to be faulty, not empty, until its size is settled (gap G70). */
export function keepsPreviousRows(outcome: ListOutcome, { size, earlier }: PreviousReadings): boolean {
  if (outcome.kind === 'skipped' || size === null) return false;
  if (outcome.kind === 'failed') return true;
  const shrank = outcome.items * 100 < size * LIST_SHRUNK_PERCENT;
  return shrank && !isSettled([listSource(outcome), ...earlier]);
}

/** Otherwise a list that was flooded once would keep its false rows for ever. */
function isSettled(readings: readonly ListSource[]): boolean {
  const last = readings.slice(0, LIST_SETTLED_READINGS);
  const sizes = last.flatMap(({ items, note }) => (note.startsWith(COMPLETE) ? (items ?? []) : []));
  if (sizes.length < LIST_SETTLED_READINGS) return false;
  return Math.min(...sizes) * 100 >= Math.max(...sizes) * LIST_SETTLED_PERCENT;
}

function faultWords(fault: ListFault): string {
  return fault.kind === 'http_status'
    ? `${FAULT_WORDS.http_status} ${fault.status}`
    : FAULT_WORDS[fault.kind];
}

const FAULT_WORDS = {
  http_status: 'answered HTTP',
  payment_required: 'requires a payment (HTTP 402); lists are never paid',
  refused: 'access denied (HTTP 401 or 403)',
  busy: 'rate-limited for longer than we wait',
  redirected: 'redirects; configure the final address',
  blocked: 'is at a blocked address',
  unreachable: 'could not be reached',
  timed_out: 'did not answer in time',
  cut_off: 'sent an incomplete page',
  too_large: 'sent a page that is too large',
  no_entries: 'sent a page without a list of entries',
  lost_cursor: 'sent a page without a readable cursor',
  too_slow: 'took too long in total',
  cancelled: 'was cancelled',
} as const;

const CUT_WORDS: Readonly<Record<ListCut, string>> = {
  row_limit: 'stopped at the entry limit',
  page_limit: 'stopped at the page limit',
  repeated_page: 'stopped at a repeated page',
};

const LEFT_OUT_WORDS: Readonly<Record<EntryFault, string>> = {
  too_large: 'too large',
  too_deep: 'nested too deeply',
  ambiguous: 'with a repeated member',
  not_json: 'not JSON',
  not_an_entry: 'not an entry',
  other_kind: 'not x402 over HTTP',
  no_url: 'without an endpoint',
  bad_url: 'with an invalid URL',
  credentials_in_url: 'with credentials in the URL',
  too_many_endpoints: 'with too many endpoints',
  address_failed: 'addresses without a list',
};

function leftOutWords(leftOut: ReadonlyMap<EntryFault, number>): string {
  return [...leftOut].map(([fault, count]) => `${count} ${LEFT_OUT_WORDS[fault]}`).join(', ');
}
