import { isPathTemplate } from '../url/path-template.ts';
import { parseTargetUrl, pathOf, type TargetUrl } from '../url/target-url.ts';
import type { ObservedAnswer } from '../verdict/observation.ts';
import type { ProbeMethod } from '../verdict/probe-outcome.ts';
import { fillTemplate } from './fill-template.ts';
import { INPUT_BODY_MAX_BYTES } from './input-limits.ts';
import type { InputSource, InputValues, ListedInput, NamedValue } from './listed-input.ts';

export interface PlannedRequest {
  readonly kind: 'request';
  readonly target: TargetUrl;
  readonly method: ProbeMethod;
  /** JSON; only with POST. */
  readonly body: string | null;
  /** Null for the bare URL. */
  readonly source: InputSource | null;
}

/** A URL with placeholders and without values for them cannot be called, so nothing is sent (gap G72). */
export type FirstStep = PlannedRequest | { readonly kind: 'path_template' };

export interface ListedRequest {
  readonly target: TargetUrl;
  readonly method: ProbeMethod;
  readonly input: ListedInput | null;
}

/** The bare URL first; a path template with the listing's values. */
export function firstRequest({ target, method, input }: ListedRequest): FirstStep {
  const bare = { kind: 'request', method, body: bareBody(method) } as const;
  if (!isPathTemplate(pathOf(target))) return { ...bare, target, source: null };
  const filled = input === null ? null : fillTemplate(target, input.path);
  return filled === null ? { kind: 'path_template' } : { ...bare, target: filled, source: 'listing_example' };
}

/** Statuses that may mean that input is missing. A 406 belongs to another protocol, a 401 or 403 wants a login. */
const INPUT_LIKE: ReadonlySet<number> = new Set([400, 404, 405, 411, 415, 422]);

export interface KnownInput {
  /** What the caller sent as its input: a JSON object for the body. */
  readonly caller: string | null;
  readonly listed: ListedInput | null;
  /** False where the caller has named the method. */
  readonly mayChangeMethod: boolean;
}

/**
 * One more request after an answer that may mean missing input: with the caller's, else the listing's example, else what its
 * schema asks for (gap G100). Null when there is nothing to send that was not sent.
 */
export function secondRequest(
  first: PlannedRequest,
  { status, refusal }: Pick<ObservedAnswer, 'status' | 'refusal'>,
  { caller, listed, mayChangeMethod }: KnownInput,
): PlannedRequest | null {
  if (!INPUT_LIKE.has(status)) return null;
  const method = mayChangeMethod ? declaredMethod(first.method, listed) : first.method;
  if (status === 404 && !hasParameters(listed) && caller === null) return null;
  if (status === 405 && (method === first.method || refusal?.allow?.includes(method) === false)) return null;
  for (const [source, values] of candidates(caller, listed)) {
    const request = withValues(first, method, source, values);
    if (request !== null) return request;
  }
  // The listing names the other method and no input.
  if (status === 405) return { ...first, method, body: bareBody(method), source: null };
  return null;
}

export interface OtherRows {
  readonly method: ProbeMethod | undefined;
  readonly spelling: TargetUrl | null;
}

/**
 * The same request as other rows of the lists have it, the likelier one first, after any answer but a 402. Anybody can add a row: a seller
 * that sells by GET may answer POST with anything, and one that sells at '/x/' may not know '/x' (gap G99).
 */
export function otherRequests(
  first: PlannedRequest,
  { status, refusal }: Pick<ObservedAnswer, 'status' | 'refusal'>,
  { method = first.method, spelling }: OtherRows,
): readonly PlannedRequest[] {
  if (status === 402 || status === 429) return [];
  const isAllowed = method !== first.method && refusal?.allow?.includes(method) !== false;
  const byMethod = isAllowed ? [{ ...first, method, body: bareBody(method) }] : [];
  const bySpelling = spelling === null || first.source !== null ? [] : [{ ...first, target: spelling }];
  return status === 404 ? [...bySpelling, ...byMethod] : [...byMethod, ...bySpelling];
}

/** The method for which the listing describes input. */
export function declaredMethod(listed: ProbeMethod, input: ListedInput | null): ProbeMethod {
  if (input === null) return listed;
  const hasBody = input.example?.body != null || input.built?.body != null;
  return input.method ?? (hasBody ? 'POST' : listed);
}

function hasParameters(listed: ListedInput | null): boolean {
  return listed !== null && (listed.example !== null || listed.built !== null || listed.path.length > 0);
}

function candidates(
  caller: string | null,
  listed: ListedInput | null,
): readonly [InputSource, InputValues][] {
  const known: readonly [InputSource, InputValues | null][] = [
    ['caller', caller === null ? null : { query: [], body: caller }],
    ['listing_example', listed?.example ?? null],
    ['listing_schema', listed?.built ?? null],
  ];
  return known.flatMap(([source, values]) => (values === null ? [] : [[source, values]]));
}

/** Null when it would be the request that was refused. */
function withValues(
  { target, method: sent, body: sentBody }: PlannedRequest,
  method: ProbeMethod,
  source: InputSource,
  { query, body }: InputValues,
): PlannedRequest | null {
  const withQuery = withExampleQuery(target, query);
  const sends = method === 'POST' ? (body ?? bareBody(method)) : null;
  // Tested here, too: the row may have been stored by a release that took larger ones.
  if (withQuery === null || (source !== 'caller' && isTooLarge(sends))) return null;
  if (withQuery.href === target.href && method === sent && sends === sentBody) return null;
  return { kind: 'request', target: withQuery, method, body: sends, source };
}

function isTooLarge(body: string | null): boolean {
  return body !== null && Buffer.byteLength(body) > INPUT_BODY_MAX_BYTES;
}

function bareBody(method: ProbeMethod): string | null {
  return method === 'POST' ? '{}' : null;
}

/** Parsed again: a listing's example is as untrusted as its URL. */
function withExampleQuery(target: TargetUrl, query: readonly NamedValue[]): TargetUrl | null {
  if (query.length === 0) return target;
  const added = new URLSearchParams(query.map(([name, value]): [string, string] => [name, value]));
  const reading = parseTargetUrl(`${target.href}${target.href.includes('?') ? '&' : '?'}${added}`);
  return reading.kind === 'target' ? reading.target : null;
}
