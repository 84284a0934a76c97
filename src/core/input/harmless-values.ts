import { type JsonObject, member } from '../x402/read-json.ts';
import { BASE_USDC } from '../x402/usdc-on-base.ts';

const ADDRESS = BASE_USDC;
const DATE = '2025-01-01';
const WEB_PAGE = 'https://example.com/';
const TEXT = 'example';

const BY_FORMAT = new Map<unknown, string>([
  ['date', DATE],
  ['date-time', `${DATE}T00:00:00Z`],
  ['time', '00:00:00Z'],
  ['uri', WEB_PAGE],
  ['url', WEB_PAGE],
  ['uri-reference', WEB_PAGE],
  ['email', 'probe@example.com'],
  ['uuid', '00000000-0000-0000-0000-000000000000'],
  ['ipv4', '192.0.2.1'],
  ['ipv6', '2001:db8::1'],
  ['hostname', 'example.com'],
]);

/** Patterns are compared as text and never run. */
const BY_PATTERN = new Map<unknown, string>([
  ['^0x[a-fA-F0-9]{40}$', ADDRESS],
  ['^0x[0-9a-fA-F]{40}$', ADDRESS],
  ['^0x[A-Fa-f0-9]{40}$', ADDRESS],
  ['^\\d{4}-\\d{2}-\\d{2}$', DATE],
  ['^[0-9]{4}-[0-9]{2}-[0-9]{2}$', DATE],
  ['^[A-Z]{2}$', 'US'],
  ['^[A-Z]{3}$', 'USD'],
  ['^https?://', WEB_PAGE],
]);

/** By the last word of a member's name. */
const BY_NAME = new Map<string, string>([
  ...['address', 'account', 'wallet', 'contract', 'owner'].map((name): [string, string] => [name, ADDRESS]),
  ...['url', 'uri', 'link', 'website', 'site'].map((name): [string, string] => [name, WEB_PAGE]),
  ...['domain', 'host', 'hostname'].map((name): [string, string] => [name, 'example.com']),
  ...['symbol', 'ticker', 'coin'].map((name): [string, string] => [name, 'BTC']),
  ...['date', 'day', 'from', 'since', 'start', 'end'].map((name): [string, string] => [name, DATE]),
  ['email', 'probe@example.com'],
  ['ip', '192.0.2.1'],
  ['country', 'US'],
  ['currency', 'USD'],
  ['language', 'en'],
  ['lang', 'en'],
  ['locale', 'en'],
  ['chain', 'base'],
  ['network', 'base'],
  ['city', 'London'],
  ['location', 'London'],
  ['id', '1'],
]);

/** A text that a person would recognise as an example: names of nobody, addresses of documentation, and our own token. */
export function harmlessText(schema: JsonObject, name: string): string {
  return (
    BY_FORMAT.get(member(schema, 'format')) ??
    BY_PATTERN.get(member(schema, 'pattern')) ??
    BY_NAME.get(lastWord(name)) ??
    TEXT
  );
}

function lastWord(name: string): string {
  return (
    name
      .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
      .toLowerCase()
      .split(/[^a-z0-9]+/)
      .at(-1) ?? ''
  );
}
