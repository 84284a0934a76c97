import * as z from 'zod';
import { slug } from '../../core/catalog/slug.ts';
import { LOOKUP_RECEIPTS, LOOKUP_SERVICES } from '../../core/limits.ts';
import { parseTargetUrl } from '../../core/url/target-url.ts';
import type { LookupRequest } from '../../flows/lookup/lookup.ts';
import { boundedText, callerName, maxUsd, parsed, taskText, wallet, wholeNumber } from './fields.ts';
import { readQuery } from './query-parameters.ts';
import { badRequest, type Reading, readWith } from './reading.ts';

/** The parameters of /v1/lookup; the same for /v1/lookup/paid. */
export const lookupParameters = z.object({
  task: parsed(taskText, slug, 'must contain a letter or a digit')
    .optional()
    .describe('Task name, see /v1/tasks. Either task or endpoint is required.'),
  endpoint: parsed(boundedText(2_048), readEndpoint, 'must be a service id or a URL without credentials')
    .optional()
    .describe('Service id or endpoint URL; replaces task.'),
  max_price: maxUsd.optional().describe('Highest listed price per call, USD; rounded down to a millionth.'),
  n: wholeNumber(LOOKUP_RECEIPTS).describe(
    'Maximum number of paid calls per service that the rates are computed over.',
  ),
  limit: wholeNumber(LOOKUP_SERVICES).describe('Maximum number of services returned.'),
  client: callerName
    .optional()
    .describe('Name of the agent or app; free calls are counted per address and name.'),
  ref: callerName.optional().describe('Attribution only; it never changes a result.'),
  payer: wallet.optional().describe('Wallet, to report which vendor was paid.'),
});

const NAMES: ReadonlySet<string> = new Set(Object.keys(lookupParameters.shape));

export function readLookupRequest(text: string): Reading<LookupRequest> {
  const parameters = readQuery(text, NAMES);
  if (parameters.kind !== 'read') return parameters;
  const reading = readWith(lookupParameters, parameters.value);
  if (reading.kind !== 'read') return reading;
  const { task = null, endpoint = null, max_price: maxPrice = null, n, limit } = reading.value;
  const { client = null, ref = null, payer } = reading.value;
  if (task === null && endpoint === null) return badRequest('task', 'task or endpoint must be sent.');
  const wanted = endpoint === null ? task : null;
  const query = { task: wanted, endpoint, maxPrice, n, limit };
  return { kind: 'read', value: { query, client, ref, payer: payer?.toLowerCase() ?? null } };
}

/**
 * A URL with a password must not appear in an answer (gap G53), nor text that resembles one: no service id or URL contains an @.
 * The rest matches nothing.
 */
function readEndpoint(text: string): string | null {
  const mayHoldSecret = text.includes('@') && parseTargetUrl(text).kind === 'invalid';
  return text === '' || mayHoldSecret ? null : text;
}
