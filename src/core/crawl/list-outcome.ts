import type { ListSource } from '../receipt/crawl-run.ts';
import { LIST_SHRUNK_PERCENT } from './list-limits.ts';
import type { EntryFault } from './read-listing.ts';

/** Why a list could not be read to its end. */
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
  | ({ readonly kind: 'read'; readonly cut: ListCut | null } & ListCounts)
  /** What was passed on is not the whole list. */
  | ({ readonly kind: 'failed'; readonly fault: ListFault } & ListCounts)
  /** Not read on purpose; the note is the operator's. */
  | { readonly kind: 'skipped'; readonly note: string };

/** The list's entry in the summary of a run, in our own words. */
export function listSource(outcome: ListOutcome): ListSource {
  if (outcome.kind === 'skipped') return { ok: false, items: null, skipped: true, note: outcome.note };
  if (outcome.kind === 'failed')
    return { ok: false, items: null, skipped: false, note: faultWords(outcome.fault) };
  const { items, cut, leftOut, announced } = outcome;
  const parts = [
    cut === null ? 'read to its end' : CUT_WORDS[cut],
    ...(announced === null ? [] : [`announces ${announced}`]),
    ...(leftOut.size === 0 ? [] : [`left out: ${leftOutWords(leftOut)}`]),
  ];
  return { ok: true, items, skipped: false, note: parts.join('; ') };
}

/** A list that failed or shrank too much is taken to be faulty, not empty (gap G70). */
export function keepsPreviousRows(outcome: ListOutcome, previousItems: number | null): boolean {
  if (outcome.kind === 'skipped' || previousItems === null) return false;
  return outcome.kind === 'failed' || outcome.items * 100 < previousItems * LIST_SHRUNK_PERCENT;
}

function faultWords(fault: ListFault): string {
  return fault.kind === 'http_status'
    ? `${FAULT_WORDS.http_status} ${fault.status}`
    : FAULT_WORDS[fault.kind];
}

const FAULT_WORDS = {
  http_status: 'answered HTTP',
  payment_required: 'asks for a payment (HTTP 402), and reading lists never pays',
  refused: 'refuses to be read (HTTP 401 or 403)',
  busy: 'asks us to come back later',
  redirected: 'leads elsewhere: the configuration has to name the final address',
  blocked: 'is at an address that must not be reached',
  unreachable: 'could not be reached',
  timed_out: 'did not answer in time',
  cut_off: 'ended in the middle of a page',
  too_large: 'sent a page larger than allowed',
  no_entries: 'sent a page without a list of entries',
  lost_cursor: 'sent a page too large to find the next one',
  too_slow: 'took longer than a list may take',
  cancelled: 'was called off',
} as const;

const CUT_WORDS: Readonly<Record<ListCut, string>> = {
  row_limit: 'left at the limit of entries',
  page_limit: 'left at the limit of pages',
  repeated_page: 'left at a page that repeats an earlier one',
};

const LEFT_OUT_WORDS: Readonly<Record<EntryFault, string>> = {
  too_large: 'too large',
  too_deep: 'nested too deeply',
  ambiguous: 'with a member twice',
  not_json: 'not JSON',
  not_an_entry: 'not an entry',
  other_kind: 'not x402 over HTTP',
  no_url: 'without an endpoint',
  bad_url: 'with a bad URL',
  credentials_in_url: 'with credentials in the URL',
  too_many_endpoints: 'with too many endpoints',
  address_failed: 'addresses that gave no list',
};

function leftOutWords(leftOut: ReadonlyMap<EntryFault, number>): string {
  return [...leftOut].map(([fault, count]) => `${count} ${LEFT_OUT_WORDS[fault]}`).join(', ');
}
