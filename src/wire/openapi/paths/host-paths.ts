import { CACHED, type Frame, IF_NONE_MATCH, type Paths } from '../frame.ts';
import type { JsonObject } from '../json-schema.ts';
import { NOT_MODIFIED, ok, problems } from '../responses.ts';

/** What the crawls and the catalog say about a host and a payee. */
export function hostPaths(frame: Frame): Paths {
  return { '/v1/hosts/{host}': { get: host(frame) }, '/v1/payees/{address}': { get: payee(frame) } };
}

function host({ links, known, examples: { host: answer } }: Frame): JsonObject {
  return {
    operationId: 'host',
    tags: ['Receipts'],
    summary: 'One host: its endpoints, verdicts over time, payees and changes',
    description:
      'From the published crawls and the catalog; it never sends a probe. /hosts/{host} is the same for people.',
    security: [],
    parameters: [
      {
        name: 'host',
        in: 'path',
        required: true,
        description: 'A lower-case ASCII name or an address, without port; IPv6 with or without brackets.',
        schema: { type: 'string', maxLength: 253 },
        example: new URL(known.url).hostname,
      },
      IF_NONE_MATCH,
    ],
    responses: {
      ...ok('What is known about the host.', { host: answer }, ...CACHED),
      ...NOT_MODIFIED,
      ...problems(links, ['not_found', 'store_unavailable']),
    },
  };
}

function payee({ links, known, examples: { payee: answer } }: Frame): JsonObject {
  return {
    operationId: 'payee',
    tags: ['Receipts'],
    summary: 'One payee: the endpoints that ask to pay it, and those listed with it that ask to pay another',
    description:
      'From the published crawls and the catalog; it never sends a probe. /payees/{address} is the same for people.',
    security: [],
    parameters: [
      {
        name: 'address',
        in: 'path',
        required: true,
        description: 'An EVM address in any letter case, or a Solana address.',
        schema: { type: 'string', pattern: '^(0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{40,44})$' },
        example: known.payTo,
      },
      IF_NONE_MATCH,
    ],
    responses: {
      ...ok('What is known about the payee.', { payee: answer }, ...CACHED),
      ...NOT_MODIFIED,
      ...problems(links, ['not_found', 'store_unavailable']),
    },
  };
}
