import type { JsonObject } from './component-schemas.ts';

const text = (description: string, example: string): JsonObject => ({
  description,
  schema: { type: 'string' },
  example,
});

/** Header fields of answers, by the name they have on the wire. */
export const HEADERS = {
  'X-Request-Id': text(
    'Names this answer; the instance of a problem is the same.',
    '5f0c8a52-4d1e-4f0a-9a53-0f0b7f3a2c11',
  ),
  RateLimit: text(
    'What is left of the free calls and the seconds until they are new.',
    '"free-lookups";r=4;t=43200',
  ),
  'RateLimit-Policy': text('Free calls in a UTC day.', '"free-lookups";q=5;w=86400'),
  'Retry-After': {
    description: 'Seconds to wait.',
    schema: { type: 'integer', minimum: 0 },
    example: 5,
  },
  ETag: text('Send it back as If-None-Match.', '"b1946ac92492d2347c6235b4d26"'),
  'Cache-Control': text('How long the answer may be kept.', 'public, max-age=60'),
  Link: text('Neighbouring pages.', '<https://assay.example.org/v1/skips?page=2>; rel="next"'),
  Allow: text('The methods of this path.', 'GET, HEAD, OPTIONS'),
  'PAYMENT-REQUIRED': text(
    'The payment requirement of x402 version 2 as base64 of JSON: the same object as the body.',
    'eyJ4NDAyVmVyc2lvbiI6Mn0=',
  ),
  'PAYMENT-RESPONSE': text(
    'The settlement with its transaction, as base64 of JSON; only on paid calls.',
    'eyJzdWNjZXNzIjp0cnVlfQ==',
  ),
} satisfies Record<string, JsonObject>;

export type HeaderName = keyof typeof HEADERS;

export function headerRefs(...names: readonly HeaderName[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
