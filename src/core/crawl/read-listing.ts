import { declaredMethod } from '../input/probe-plan.ts';
import { parseTargetUrl, type TargetUrl } from '../url/target-url.ts';
import type { ProbeMethod } from '../verdict/probe-outcome.ts';
import { isJsonObject, type JsonObject, parseJson } from '../x402/read-json.ts';
import { guardKeys, scanJson } from '../x402/scan-json.ts';
import { firstRead, type Path, valueAt } from './field-paths.ts';
import { ENTRY_ENDPOINTS_MAX } from './list-limits.ts';
import type { ListedEndpoint } from './listed-endpoint.ts';
import { type ClaimPlaces, listedOffers, readClaim } from './listing-claim.ts';
import { readListedTime } from './listing-date.ts';
import { readInput } from './listing-input.ts';
import { readServiceName } from './listing-name.ts';
import { readMethod } from './listing-request.ts';

/** Why an entry, or an endpoint in it, is left out. */
export type EntryFault =
  | 'too_large'
  | 'too_deep'
  | 'ambiguous'
  | 'not_json'
  | 'not_an_entry'
  | 'other_kind'
  | 'no_url'
  | 'bad_url'
  | 'credentials_in_url'
  | 'too_many_endpoints'
  | 'address_failed';

export interface EntryReading {
  readonly endpoints: readonly ListedEndpoint[];
  readonly faults: readonly EntryFault[];
}

/** Selects entries by a member; an entry without it passes. */
export interface EntryFilter {
  readonly path: Path;
  /** In lower case. */
  readonly values: ReadonlySet<string>;
}

/** How the entries of one list are read. */
export interface ListingShape extends ClaimPlaces {
  readonly list: string;
  readonly only: readonly EntryFilter[];
  /** The paths of the endpoints in an entry; without any, the entry is the endpoint. */
  readonly endpoints: readonly Path[];
  readonly endpointsOnly: readonly EntryFilter[];
}

/** Keys that must not be repeated: two readers could see two listings. */
const GUARDED = guardKeys([
  'resource',
  'url',
  'resourceUrl',
  'base_url',
  'accepts',
  'payTo',
  'pay_to',
  'amount',
  'maxAmountRequired',
  'price_usd',
  'priceUsd',
  'network',
  'asset',
  'scheme',
  'method',
]);

/** One entry as the list wrote it. `origin` is the base of paths without a host; null refuses them. */
export function readEntry(text: string, shape: ListingShape, origin: string | null): EntryReading {
  const scan = scanJson(text, GUARDED);
  if (scan === 'too_deep') return left('too_deep');
  if (scan !== 'clean') return left('ambiguous');
  const entry = parseJson(text);
  if (entry === undefined) return left('not_json');
  if (typeof entry === 'string') return readEndpoint([], entry, shape, origin);
  if (!isJsonObject(entry)) return left('not_an_entry');
  if (!passes(entry, shape.only)) return left('other_kind');
  const inner = innerEndpoints(entry, shape);
  return inner.length === 0
    ? readEndpoint([entry], entry, shape, origin)
    : readAll(inner, entry, shape, origin);
}

function innerEndpoints(entry: JsonObject, { endpoints, endpointsOnly }: ListingShape): readonly unknown[] {
  const found = endpoints.map((path) => valueAt(entry, path)).find(Array.isArray) ?? [];
  return found.filter((one: unknown) => !isJsonObject(one) || passes(one, endpointsOnly));
}

function readAll(
  inner: readonly unknown[],
  entry: JsonObject,
  shape: ListingShape,
  origin: string | null,
): EntryReading {
  const readings = inner
    .slice(0, ENTRY_ENDPOINTS_MAX)
    .map((one) => readEndpoint(isJsonObject(one) ? [one, entry] : [entry], one, shape, origin));
  const cut: EntryFault[] = inner.length > ENTRY_ENDPOINTS_MAX ? ['too_many_endpoints'] : [];
  return {
    endpoints: readings.flatMap(({ endpoints }) => endpoints),
    faults: [...readings.flatMap(({ faults }) => faults), ...cut],
  };
}

function passes(entry: JsonObject, filters: readonly EntryFilter[]): boolean {
  return filters.every(({ path, values }) => {
    const value = valueAt(entry, path);
    if (value === undefined || value === null) return true;
    return (Array.isArray(value) ? value : [value]).some((one) => values.has(plainText(one)));
  });
}

/** Never String() of an untrusted object: its toString may not be a function. */
function plainText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value).toLowerCase()
    : '';
}

/** `place` holds the URL: an object with one, or the URL itself. The scopes hold everything else. */
function readEndpoint(
  scopes: readonly JsonObject[],
  place: unknown,
  shape: ListingShape,
  origin: string | null,
): EntryReading {
  const { fields, list } = shape;
  const address = addressOf(place, shape, origin);
  if (address.kind === 'fault') return left(address.fault);
  // Version 1 describes the request inside the offer.
  const described = [...scopes, ...listedOffers(scopes, fields)];
  const name = firstRead(scopes, fields.name, readServiceName);
  const updatedMs = firstRead(scopes, fields.updated, readListedTime);
  const method = address.method ?? firstRead(described, fields.method, readMethod);
  const input = readInput(described, fields, { path: address.target.pathAndQuery, method });
  const endpoint = {
    target: address.target,
    method: method ?? declaredMethod('GET', input),
    claim: readClaim(scopes, shape),
    input,
    ...(name === null ? {} : { service: name }),
    ...(updatedMs === null ? {} : { updatedMs }),
    list,
    listedIn: [list],
  };
  return { endpoints: [endpoint], faults: [] };
}

type Address =
  | { readonly kind: 'address'; readonly target: TargetUrl; readonly method: ProbeMethod | null }
  | { readonly kind: 'fault'; readonly fault: EntryFault };

/** The first usable URL; otherwise the fault of the first text found. */
function addressOf(place: unknown, { fields }: ListingShape, origin: string | null): Address {
  const texts = typeof place === 'string' ? [place] : isJsonObject(place) ? urlTexts(place, fields.url) : [];
  const addresses = texts.map((text) => parseAddress(text, origin));
  const usable = addresses.find(({ kind }) => kind === 'address');
  return usable ?? addresses[0] ?? { kind: 'fault', fault: isJsonObject(place) ? 'no_url' : 'not_an_entry' };
}

function urlTexts(place: JsonObject, paths: readonly Path[]): string[] {
  const values = paths.map((path) => valueAt(place, path));
  return values.filter((value): value is string => typeof value === 'string' && value !== '');
}

// Some lists write 'POST https://…' where others write the URL.
const WITH_METHOD = /^([A-Za-z]{3,7})[ \t]+(?=https?:|\/)/;

function parseAddress(text: string, origin: string | null): Address {
  const [prefix = '', verb] = WITH_METHOD.exec(text) ?? [];
  const rest = text.slice(prefix.length);
  const isPath = rest.startsWith('/') && !rest.startsWith('//');
  const reading = parseTargetUrl(isPath && origin !== null ? `${origin}${rest}` : rest);
  if (reading.kind === 'target') return { kind: 'address', target: reading.target, method: readMethod(verb) };
  return { kind: 'fault', fault: reading.fault === 'credentials' ? 'credentials_in_url' : 'bad_url' };
}

function left(fault: EntryFault): EntryReading {
  return { endpoints: [], faults: [fault] };
}
