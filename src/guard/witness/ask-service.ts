import { PROBE_REUSE_SECONDS } from '../../core/limits.ts';
import { formatUsd } from '../../core/money/micro-usd.ts';
import { holdsCredential } from '../../core/url/redact-url.ts';
import type { Claim } from '../../core/verdict/expected-terms.ts';
import type { Reason, Verdict } from '../../core/verdict/verdict.ts';
import { type FetchedJson, fetchJson } from '../fetch-json.ts';
import type { Witness } from '../ledger/purchase.ts';
import { withDeadline } from '../with-deadline.ts';
import { readLatestLive, readReceiptOf, readSpotCheck, type SpotChecked } from './read-answer.ts';

export interface AskOptions {
  /** The base URL of an Assay service. */
  readonly service: string;
  readonly fetch: typeof globalThis.fetch;
  readonly timeoutMs?: number | undefined;
  /** A fetch that pays. Without it, a check that costs is not bought. */
  readonly payAsk?: typeof globalThis.fetch | undefined;
  readonly now: () => Date;
}

export interface Question {
  readonly url: string;
  readonly method: string;
  /** The hashes of the terms that may be signed. */
  readonly termsSha256s: readonly string[];
  readonly expected?: Partial<Claim>;
}

export type WitnessAnswer =
  | { readonly kind: 'agrees'; readonly witness: Witness }
  | Disagrees
  | { readonly kind: 'unavailable'; readonly cause: UnavailableCause };

export interface Disagrees {
  readonly kind: 'disagrees';
  /** `pay` when the service approves terms, but none of ours. */
  readonly verdict: Verdict['verdict'];
  readonly reason: Reason | 'other_terms' | 'not_said';
  readonly receiptId: string | null;
}

export type UnavailableCause =
  | 'unreachable'
  | 'timed_out'
  /** 402, and nothing that pays was given, or it did not succeed. */
  | 'costs_money'
  | 'busy'
  | 'failed'
  | 'refused'
  | 'bad_answer'
  /** The service cannot check such a request, or has no usable address. */
  | 'not_askable'
  /** The URL seems to hold a credential, which is not given to a third party. */
  | 'secret_in_url'
  /** The endpoint wants input before it names its terms, and the service does not have the buyer's. */
  | 'needs_input';

const TIMEOUT_MS = 4_000;
/** A payment needs its settlement. Giving up early would leave it paid and unread. */
const PAID_TIMEOUT_MS = 30_000;
const ANSWER_MAX_BYTES = 65_536;
const FRESH_MS = PROBE_REUSE_SECONDS * 1_000;
/** Free checks are counted by address and name: the guard has a share of its own. No key or header is needed. */
const CLIENT = 'assay-guard';

/** First the public receipts, which cost nothing, then a live check. Never rejects. */
export async function askService(options: AskOptions, question: Question): Promise<WitnessAnswer> {
  const asking = askingOf(options, question);
  if (asking === null) return unavailable('not_askable');
  if (holdsCredential(asking.target)) return unavailable('secret_in_url');
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  const free = await withDeadline(timeoutMs, (signal) => askFree(asking, signal));
  if (free === 'timed_out') return unavailable('timed_out');
  const { payAsk } = options;
  if (free.kind !== 'unavailable' || free.cause !== 'costs_money' || payAsk === undefined) return free;
  const paid = await withDeadline(Math.max(timeoutMs, PAID_TIMEOUT_MS), (signal) =>
    check(asking, { fetch: payAsk, maxBytes: ANSWER_MAX_BYTES, signal }),
  );
  if (paid === 'timed_out') return unavailable('timed_out');
  // A fetch that pays rejects when it does not want to.
  return paid.kind === 'unavailable' && paid.cause === 'unreachable' ? free : paid;
}

interface Asking {
  readonly base: string;
  readonly origin: string;
  readonly question: Question;
  readonly target: string;
  readonly fetch: typeof globalThis.fetch;
  readonly now: () => Date;
}

/** Null for what the service does not check: other methods, and URLs that would give away a password. */
function askingOf({ service, fetch, now }: AskOptions, question: Question): Asking | null {
  const base = httpUrl(service);
  const target = httpUrl(question.url);
  if (base === null || target === null) return null;
  if (question.method !== 'GET' && question.method !== 'POST') return null;
  if (target.username !== '' || target.password !== '') return null;
  target.hash = '';
  const path = base.pathname.replace(/\/+$/, '');
  return {
    base: base.origin + path,
    origin: base.origin,
    question,
    target: target.href,
    fetch,
    now,
  };
}

function httpUrl(text: string): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') ? url : null;
}

async function askFree(asking: Asking, signal: AbortSignal): Promise<WitnessAnswer> {
  const through: Through = { fetch: asking.fetch, maxBytes: ANSWER_MAX_BYTES, signal };
  const query = new URLSearchParams({ url: asking.target });
  const receipts = await get(through, `${asking.base}/v1/receipts/by-url?${query}`);
  if (receipts.kind === 'unreachable') return unavailable('unreachable');
  const known = receipts.status === 200 ? agreeing(asking, receipts.json) : null;
  // Only agreement counts: a receipt that says skip may be about what another caller expected.
  return known === null ? check(asking, through) : { kind: 'agrees', witness: known };
}

function agreeing({ base, origin, question, now }: Asking, json: unknown): Witness | null {
  const receipt = readLatestLive(json, origin, question.expected ?? {});
  if (receipt === null || receipt.method !== question.method) return null;
  // A clock that is ahead of ours does not make a receipt fresher than one from this moment.
  const ageMs = Math.abs(now().getTime() - Date.parse(receipt.checkedAt));
  if (ageMs >= FRESH_MS || !question.termsSha256s.includes(receipt.termsSha256)) return null;
  const { receiptId, permalink, termsSha256, checkedAt } = receipt;
  return { service: base, receiptId, permalink, termsSha256, checkedAt };
}

type Through = Parameters<typeof fetchJson>[0];

function get(through: Through, url: string): Promise<FetchedJson> {
  return fetchJson(through, url, { headers: { accept: 'application/json' } });
}

async function check(asking: Asking, through: Through): Promise<WitnessAnswer> {
  const answer = await get(through, `${asking.base}/v1/products/endpoint-spot-check?${checkQuery(asking)}`);
  if (answer.kind === 'unreachable') return unavailable('unreachable');
  const cause = causeOf(answer.status);
  // With a verdict, 400 is the refusal of a private address.
  const mayJudge = answer.status === 200 || answer.status === 400;
  const checked = mayJudge ? readSpotCheck(answer.json, asking.origin) : null;
  return checked === null ? unavailable(cause) : weigh(asking, through, checked);
}

function checkQuery({ target, question: { method, expected = {} } }: Asking): URLSearchParams {
  const { price = null, payTo = null, network = null } = expected;
  const query = new URLSearchParams({ url: target, method, client: CLIENT });
  if (price !== null) query.set('claimed_price', formatUsd(price));
  if (payTo !== null) query.set('pay_to', payTo);
  if (network !== null) query.set('network', network);
  return query;
}

/** What a status says when there is no verdict. */
function causeOf(status: number): UnavailableCause {
  if (status === 200) return 'bad_answer';
  if (status === 402) return 'costs_money';
  if (status === 429) return 'busy';
  return status >= 500 ? 'failed' : 'refused';
}

async function weigh(asking: Asking, through: Through, checked: SpotChecked): Promise<WitnessAnswer> {
  const { verdict, receiptId, permalink, termsSha256 } = checked;
  if (verdict !== 'pay') {
    const { reason, needsInput } =
      checked.reason === null ? await receiptOf(asking, through, checked) : checked;
    if (needsInput) return unavailable('needs_input');
    return { kind: 'disagrees', verdict, reason: reason ?? 'not_said', receiptId };
  }
  if (receiptId === null || termsSha256 === null) return unavailable('bad_answer');
  if (!asking.question.termsSha256s.includes(termsSha256)) {
    return { kind: 'disagrees', verdict, reason: 'other_terms', receiptId };
  }
  const checkedAt = checked.probedAt ?? asking.now().toISOString();
  return {
    kind: 'agrees',
    witness: { service: asking.base, receiptId, permalink, termsSha256, checkedAt },
  };
}

/** The free answer says it in words only; the public receipt of the same check has the code. */
async function receiptOf(
  { base }: Asking,
  through: Through,
  checked: SpotChecked,
): Promise<Pick<SpotChecked, 'reason' | 'needsInput'>> {
  if (checked.receiptId === null) return checked;
  const receipt = await get(through, `${base}/v1/receipts/${checked.receiptId}`);
  if (receipt.kind === 'unreachable' || receipt.status !== 200) return checked;
  return readReceiptOf(checked, receipt.json) ?? checked;
}

function unavailable(cause: UnavailableCause): WitnessAnswer {
  return { kind: 'unavailable', cause };
}
