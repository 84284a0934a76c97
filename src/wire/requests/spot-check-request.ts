import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { spotCheckMode } from '../../core/access/caller-name.ts';
import { slug } from '../../core/catalog/slug.ts';
import { isDeeperThan } from '../../core/is-deeper-than.ts';
import { CALLER_INPUT_MAX_BYTES, CALLER_INPUT_MAX_DEPTH } from '../../core/limits.ts';
import { parseTargetUrl, type TargetUrl, type UrlFault } from '../../core/url/target-url.ts';
import { isAddress, isAnyAddress, isSameAddress } from '../../core/x402/address.ts';
import { mainnetOf, parseNetwork } from '../../core/x402/networks.ts';
import { isJsonObject, member } from '../../core/x402/read-json.ts';
import type { CheckRequest } from '../../flows/check/check-request.ts';
import { boundedText, callerName, decimalUsd, parsed, taskText, urlText } from './fields.ts';
import { readQuery } from './query-parameters.ts';
import { badRequest, type Reading, readWith } from './reading.ts';

export const target = urlText.transform((text, context): TargetUrl => {
  const reading = parseTargetUrl(text);
  if (reading.kind === 'target') return reading.target;
  context.addIssue({ code: 'custom', message: URL_FAULTS[reading.fault] });
  return z.NEVER;
});

/** Never contains the text itself: a URL with a password must not appear in a message. */
export const URL_FAULTS: Readonly<Record<UrlFault, string>> = {
  too_long: 'must be at most 2048 bytes',
  odd_characters: 'must not contain control characters, surrounding spaces or a backslash before the query',
  not_a_url: 'must be an absolute http or https URL',
  not_http: 'must be an http or https URL',
  credentials: 'must not contain a user name or a password',
  bad_host_name: 'must name a host',
};

/** The parameters of the spot-check, as query or as members of a JSON body (gap G30). */
export const spotCheckParameters = z.object({
  url: target.describe('Public http(s) URL to probe.'),
  task: parsed(taskText, slug, 'must contain a letter or a digit')
    .optional()
    .describe('Task name, stored on the receipt.'),
  claimed_price: decimalUsd
    .optional()
    .describe(
      'Price in USD that you expect, rounded to a millionth; another one gives skip / price_mismatch. Without it: the listed price.',
    ),
  method: z
    .enum(['GET', 'POST'], 'must be GET or POST')
    .default('GET')
    .describe('The method that you will call it with; POST sends an empty JSON object.'),
  pay_to: boundedText(128)
    .refine(isAnyAddress, 'must be a wallet address')
    .optional()
    .describe('Expected payee; another one gives skip / pay_to_mismatch. Without it: the listed payee.'),
  network: parsed(boundedText(128), parseNetwork, 'must be a network in CAIP-2 form, such as eip155:8453')
    .optional()
    .describe(
      'Expected network in CAIP-2 form; another one gives skip / network_mismatch. Without it: the listed network.',
    ),
  client: callerName.optional().describe('Caller name; never published.'),
  ref: callerName.optional().describe('Tag stored on the receipt; dry-run-<caller> sets mode dry-run.'),
  mode: z
    .enum(['live', 'dry-run'], 'must be live or dry-run')
    .default('live')
    .describe(
      'live: a pay is an approval; dry-run: the same unpaid probe, free, stored as a public receipt, never an approval.',
    ),
});

export interface SpotCheckRequest {
  readonly check: Omit<CheckRequest, 'selfTest'>;
  readonly client: string | null;
}

const FIELDS = spotCheckParameters.keyof().options;
const NAMES: ReadonlySet<string> = new Set(FIELDS);

/** The members of a body that are read. */
export const SPOT_CHECK_MEMBERS: ReadonlySet<string> = new Set([...NAMES, 'input']);

type Sent = Readonly<Record<string, unknown>>;
type SpotCheckParameters = z.output<typeof spotCheckParameters>;

/** `body` is the parsed JSON of a POST; null where there is none. */
export function readSpotCheckRequest(query: string, body: unknown = null): Reading<SpotCheckRequest> {
  const parameters = readQuery(query, NAMES);
  if (parameters.kind !== 'read') return parameters;
  const members = readMembers(body);
  if (members.kind !== 'read') return members;
  const reading = readBoth(parameters.value, members.value);
  if (reading.kind !== 'read') return reading;
  const check = checkOf(reading.value);
  return check.kind === 'read' ? withInput(check.value, body) : check;
}

/** The input of the caller is an object, so only a body can carry it (gap G100). */
function withInput(request: SpotCheckRequest, body: unknown): Reading<SpotCheckRequest> {
  const input = isJsonObject(body) ? (member(body, 'input') ?? null) : null;
  if (input === null) return { kind: 'read', value: request };
  if (!isJsonObject(input)) return badRequest('input', 'input must be a JSON object.');
  if (request.check.method !== 'POST') {
    return badRequest('input', 'input is for method POST; the input of a GET belongs in url.');
  }
  // Depth first: writing a deep object would overflow.
  const isTooDeep = isDeeperThan(input, CALLER_INPUT_MAX_DEPTH);
  const text = isTooDeep ? '' : JSON.stringify(input);
  if (isTooDeep || Buffer.byteLength(text) > CALLER_INPUT_MAX_BYTES)
    return badRequest('input', TOO_MUCH_INPUT);
  if (!isExact(input)) return badRequest('input', INEXACT_INPUT);
  return { kind: 'read', value: { ...request, check: { ...request.check, input: text } } };
}

const TOO_MUCH_INPUT = `input must be at most ${CALLER_INPUT_MAX_BYTES} bytes and ${CALLER_INPUT_MAX_DEPTH} levels deep.`;
/** A number of JSON keeps as many digits, whatever their size. */
const DIGITS_KEPT = 15;
const INEXACT_INPUT = `Numbers in input beyond ±${Number.MAX_SAFE_INTEGER} must have at most ${DIGITS_KEPT} significant digits: others would be sent changed.`;

/** JSON.parse rounds large numbers, and JSON.stringify writes null for those beyond all. */
function isExact(value: unknown): boolean {
  if (typeof value === 'number') {
    const isSmall = Math.abs(value) <= Number.MAX_SAFE_INTEGER;
    return isSmall || (Number.isFinite(value) && Number(value.toPrecision(DIGITS_KEPT)) === value);
  }
  return typeof value !== 'object' || value === null || Object.values(value).every(isExact);
}

function checkOf(parameters: SpotCheckParameters): Reading<SpotCheckRequest> {
  const { url, method, mode, task = null, client = null, ref = null } = parameters;
  const { claimed_price: price = null, pay_to: payTo = null, network = null } = parameters;
  const mainnet = mainnetOf(network);
  if (payTo !== null && mainnet !== null && !isAddress(payTo, mainnet.addresses)) {
    return badRequest('pay_to', 'pay_to must be an address on the given network.');
  }
  const claim = { price, payTo, network };
  const check = { target: url, method, mode: spotCheckMode(mode, ref), claim, ref, task };
  return { kind: 'read', value: { check, client } };
}

/** The known members of a body. Many clients send null for an omitted one. */
function readMembers(body: unknown): Reading<Sent> {
  if (body === null) return { kind: 'read', value: {} };
  if (typeof body !== 'object' || Array.isArray(body)) {
    return badRequest('body', 'The body must be a JSON object.');
  }
  const known = Object.entries(body).filter(([name, value]) => NAMES.has(name) && value !== null);
  return { kind: 'read', value: Object.fromEntries(known) };
}

/** A field in both query and body must have the same value (gap G30), in any spelling: each is read with the rest of the request. */
function readBoth(query: Sent, members: Sent): Reading<SpotCheckParameters> {
  const merged = { ...query, ...members };
  if (!Object.hasOwn(merged, 'url')) return badRequest('url', 'url must be sent.');
  const reading = readWith(spotCheckParameters, merged);
  const inBoth = FIELDS.filter((name) => Object.hasOwn(query, name) && Object.hasOwn(members, name));
  if (reading.kind !== 'read' || inBoth.length === 0) return reading;
  const other = readWith(spotCheckParameters, { ...members, ...query });
  if (other.kind !== 'read') return other;
  const differing = inBoth.find((name) => !isSame(reading.value[name], other.value[name]));
  return differing === undefined
    ? reading
    : badRequest(differing, `${differing} must say the same in query and body.`);
}

function isSame(left: unknown, right: unknown): boolean {
  if (typeof left === 'string' && typeof right === 'string') return isSameAddress(left, right);
  return isDeepStrictEqual(left, right);
}
