import { type MicroUsd, parseUsd, parseUsdNumber } from '../money/micro-usd.ts';
import type { TargetUrl } from '../url/target-url.ts';
import type { ProbeMethod } from '../verdict/probe-outcome.ts';
import { isSameAddress } from '../x402/address.ts';
import { parseNetwork } from '../x402/networks.ts';
import type { Offer } from '../x402/offer.ts';
import { isJsonObject, type JsonObject, member, parseJson } from '../x402/read-json.ts';
import { quotedPrice } from '../x402/terms.ts';
import { found } from './checks.ts';
import type { Finding } from './finding.ts';
import { isSamePath } from './same-path.ts';
import type { Look } from './seen.ts';

export interface Route {
  readonly target: TargetUrl;
  readonly method: ProbeMethod;
  /** The offer of the 402 that was judged. */
  readonly offer: Offer | null;
}

export function openapiFindings(look: Look, route: Route): Finding[] {
  if (look.kind === 'failed') {
    const check = look.fault === 'too_large' ? 'openapi_unreadable' : 'openapi_missing';
    return [found(look.fault === 'no_answer' ? 'no_answer' : check, 'openapi')];
  }
  if (look.status < 200 || look.status > 299) return [found('openapi_missing', 'openapi')];
  const document = parseJson(look.body);
  const paths = isJsonObject(document) ? member(document, 'paths') : undefined;
  if (!isJsonObject(document) || !isJsonObject(paths)) return [found('openapi_unreadable', 'openapi')];
  const operation = operationOf(document, paths, route);
  if (operation === null) return [found('openapi_route', 'openapi', { path: '$.paths' })];
  const info = member(operation, 'x-payment-info');
  if (!isJsonObject(info)) return [found('openapi_payment', 'openapi')];
  return route.offer === null || agrees(info, route.offer) ? [] : [found('openapi_price', 'openapi')];
}

const PATHS_MAX = 5_000;
const SERVERS_MAX = 8;

function operationOf(document: JsonObject, paths: JsonObject, { target, method }: Route): JsonObject | null {
  const path = new URL(target.href).pathname;
  const keys = Object.keys(paths).slice(0, PATHS_MAX);
  const routes = keys.flatMap((key) => {
    const item = member(paths, key);
    const operation = isJsonObject(item) ? member(item, method.toLowerCase()) : undefined;
    if (!isJsonObject(item) || !isJsonObject(operation)) return [];
    // The nearest servers hold.
    const servers = member(operation, 'servers') ?? member(item, 'servers') ?? member(document, 'servers');
    return [{ operation, places: basesOf(servers).map((base) => base + key) }];
  });
  // A template must not stand in for a path that is listed by itself.
  const exact = routes.find(({ places }) => places.includes(path));
  // The path of a server may have variables, too.
  const found = exact ?? routes.find(({ places }) => places.some((place) => isSamePath(place, path)));
  return found?.operation ?? null;
}

/** Paths are below those of their servers. */
function basesOf(servers: unknown): readonly string[] {
  const urls = (Array.isArray(servers) ? servers : [])
    .slice(0, SERVERS_MAX)
    .map((server) => (isJsonObject(server) ? member(server, 'url') : undefined));
  return ['', ...urls.flatMap((url) => (typeof url === 'string' ? [basePathOf(url)] : []))];
}

function basePathOf(url: string): string {
  const [, path = ''] = /^(?:https?:\/\/[^/?#]*)?(\/[^?#]*)?/i.exec(url) ?? [];
  return path.replace(/\/$/, '');
}

/** What cannot be read is not compared: the member is no standard. */
function agrees(info: JsonObject, offer: Offer): boolean {
  const asked = quotedPrice(offer);
  const [least, most] = priceRange(info);
  if (asked !== null && least !== null && asked < least) return false;
  if (asked !== null && most !== null && asked > most) return false;
  const terms = statedTerms(info);
  const networks = terms.flatMap(({ network }) =>
    typeof network === 'string' ? [parseNetwork(network)] : [],
  );
  if (networks.length > 0 && networks.every((network) => network !== null && network !== offer.network))
    return false;
  return terms.every(({ payTo, network }) => {
    const otherNetwork = typeof network === 'string' && parseNetwork(network) !== offer.network;
    const otherPayee = typeof payTo === 'string' && !isSameAddress(payTo, offer.payTo);
    // Terms of another network say nothing about this one.
    return otherNetwork || !otherPayee;
  });
}

function priceRange(info: JsonObject): readonly [MicroUsd | null, MicroUsd | null] {
  const price = member(info, 'price');
  const inner = isJsonObject(price) ? price : info;
  const read = (...keys: string[]) =>
    keys.map((key) => dollars(member(inner, key))).find((one) => one !== null);
  const fixed = isJsonObject(price) ? dollars(member(price, 'amount')) : dollars(price);
  return [fixed ?? read('min', 'minPrice') ?? null, fixed ?? read('max', 'maxPrice') ?? null];
}

function dollars(value: unknown): MicroUsd | null {
  if (typeof value === 'number') return parseUsdNumber(value);
  return typeof value === 'string' ? parseUsd(value.replace(/^\$/, '')) : null;
}

interface Stated {
  readonly payTo: unknown;
  readonly network: unknown;
}

const PROTOCOLS_MAX = 16;

function statedTerms(info: JsonObject): readonly Stated[] {
  const protocols = member(info, 'protocols');
  if (!Array.isArray(protocols)) return [];
  return protocols.slice(0, PROTOCOLS_MAX).flatMap((protocol: unknown) => {
    const x402 = isJsonObject(protocol) ? member(protocol, 'x402') : undefined;
    return isJsonObject(x402) ? [{ payTo: member(x402, 'payTo'), network: member(x402, 'network') }] : [];
  });
}
