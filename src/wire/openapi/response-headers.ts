import type { JsonObject } from './json-schema.ts';

const text = (description: string, example: string): JsonObject => ({
  description,
  schema: { type: 'string' },
  example,
});

/** Header fields of answers, by the name they have on the wire. */
export const HEADERS = {
  'X-Request-Id': text(
    'Request id, the same as instance in a problem body.',
    '5f0c8a52-4d1e-4f0a-9a53-0f0b7f3a2c11',
  ),
  RateLimit: text(
    'Free calls left (r), and seconds until they are renewed (t).',
    '"free-lookups";r=4;t=43200',
  ),
  'RateLimit-Policy': text('Free calls (q) per UTC day (w, in seconds).', '"free-lookups";q=5;w=86400'),
  'Retry-After': {
    description: 'Seconds to wait before the next attempt.',
    schema: { type: 'integer', minimum: 0 },
    example: 5,
  },
  ETag: text('Send it back as If-None-Match.', '"b1946ac92492d2347c6235b4d26"'),
  'Cache-Control': text('How long the response may be cached.', 'public, max-age=60'),
  Link: text('Next and previous page.', '<https://assay.example.org/v1/skips?page=2>; rel="next"'),
  Allow: text('The methods that this path supports.', 'GET, HEAD, OPTIONS'),
  'PAYMENT-REQUIRED': text(
    'The payment requirement of x402 version 2, base64-encoded JSON. The same object as the body.',
    'eyJ4NDAyVmVyc2lvbiI6Mn0=',
  ),
  'PAYMENT-RESPONSE': text(
    'The settlement with its transaction, base64-encoded JSON. Only on paid calls.',
    'eyJzdWNjZXNzIjp0cnVlfQ==',
  ),
  'Receipt-SHA256': text(
    'SHA-256 of the statement of the receipt, which the transparency log commits to. The paid shape has it in its body.',
    '962e4f5a8d8f3f2b1c0e9d7a6b5c4d3e2f1a0b9c8d7e6f5a4b3c2d1e0f9a663e',
  ),
  'Receipt-Promise': text(
    'A signed note in base64: a promise that the receipt will be in the transparency log by a given time. The paid shape has it in its body.',
    'YXNzYXkgcHJvbWlzZSB2MQo=',
  ),
} satisfies Record<string, JsonObject>;

export type HeaderName = keyof typeof HEADERS;

export function headerRefs(...names: readonly HeaderName[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
