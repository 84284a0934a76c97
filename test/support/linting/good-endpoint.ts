import type { Look, Seen } from '../../../src/core/lint/seen.ts';
import type { ProbeAnswer } from '../../../src/core/verdict/probe-outcome.ts';
import { answered, base64, ENTRY, ENTRY_V1 } from '../../../tools/samples/challenge.ts';
import { target } from '../../../tools/samples/listed.ts';
import { bytes } from '../judging.ts';

export const LINTED_URL = 'https://seller.example/v1/weather';

const QUERY = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
export const BAZAAR = {
  info: { input: { type: 'http', method: 'GET', queryParams: { city: 'Bern' } } },
  schema: {
    type: 'object',
    properties: {
      input: {
        type: 'object',
        properties: { type: { const: 'http' }, method: { enum: ['GET'] }, queryParams: QUERY },
        required: ['type', 'method'],
        additionalProperties: false,
      },
    },
    required: ['input'],
  },
};

export const RESOURCE = { url: LINTED_URL, description: 'Weather', mimeType: 'application/json' };
export const TERMS_V2 = {
  x402Version: 2,
  resource: RESOURCE,
  accepts: [ENTRY],
  extensions: { bazaar: BAZAAR },
};
const FULL_V1 = { ...ENTRY_V1, resource: LINTED_URL, description: 'Weather', mimeType: 'application/json' };
export const TERMS_V1 = { x402Version: 1, error: 'pay', accepts: [FULL_V1] };

/** A 402 that nobody can complain about. */
export function paywallWith(
  header: object | null,
  body: object | null,
  more: [string, string][] = [],
): ProbeAnswer {
  const terms: [string, string][] =
    header === null ? [] : [['payment-required', base64(JSON.stringify(header))]];
  return answered({
    headers: [...terms, ...(more.length === 0 ? NO_STORE : more)],
    body: body === null ? new Uint8Array() : bytes(body),
  });
}

const NO_STORE: [string, string][] = [['cache-control', 'no-store']];
export const GOOD_402 = paywallWith(TERMS_V2, TERMS_V1);

export const look = (status: number, headers: [string, string][] = [], body: unknown = ''): Look => ({
  kind: 'answered',
  status,
  headers,
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

export const ALLOW_ORIGIN: [string, string] = ['access-control-allow-origin', '*'];
export const EXPOSE: [string, string] = [
  'access-control-expose-headers',
  'PAYMENT-REQUIRED, PAYMENT-RESPONSE',
];
export const ALLOW_HEADERS: [string, string] = [
  'access-control-allow-headers',
  'PAYMENT-SIGNATURE, X-PAYMENT, Access-Control-Expose-Headers',
];
export const OPENAPI = {
  openapi: '3.1.0',
  paths: { '/v1/weather': { get: { 'x-payment-info': { price: { mode: 'fixed', amount: '0.01' } } } } },
};
export const MANIFEST = { version: 1, resources: [LINTED_URL] };

/** Everything is as it should be. */
export const GOOD: Seen = {
  target: target(LINTED_URL),
  method: 'GET',
  hasHeaders: true,
  bare: GOOD_402,
  withInput: null,
  browser: look(402, [ALLOW_ORIGIN, EXPOSE]),
  preflight: look(204, [ALLOW_ORIGIN, ALLOW_HEADERS]),
  head: look(402),
  openapi: look(200, [], OPENAPI),
  wellKnown: look(200, [], MANIFEST),
};

/** What is seen, and what is found then: level, check and path. */
export type LintRow = readonly [why: string, changes: Partial<Seen>, findings: readonly string[]];

export const withHeader = (changes: object) => paywallWith({ ...TERMS_V2, ...changes }, TERMS_V1);
