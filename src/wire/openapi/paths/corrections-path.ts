import { correctionText } from '../../../core/statement/correction.ts';
import { CORRECTIONS_PAGES_MAX } from '../../log/corrections-request.ts';
import { correctionsJson } from '../../log/corrections-response.ts';
import type { Example } from '../examples/example.ts';
import { CHECKED_AT, LIVE_ID } from '../examples/example-values.ts';
import { type Frame, IF_NONE_MATCH, PAGED, type Paths } from '../frame.ts';
import type { JsonObject } from '../json-schema.ts';
import { NOT_MODIFIED, ok, problems } from '../responses.ts';

/** What was said in public and taken back or corrected. */
export function correctionsPath({ links }: Frame): Paths {
  const correction = {
    receiptId: LIVE_ID,
    at: new Date(CHECKED_AT),
    was: 'pay',
    is: 'skip',
    because: 'The payee had been changed by an attacker.',
  } as const;
  const stored = { ...correction, id: `${LIVE_ID}:1`, text: correctionText(correction) };
  const withdrawals = { secret: 1, personal: 0, legal: 0, error: 0 };
  const value = correctionsJson({ corrections: [stored], page: 1, hasNext: false, withdrawals }, links);
  const corrections: Example = { shape: 'Corrections', summary: 'One correction', value };
  return {
    '/v1/corrections': {
      get: {
        operationId: 'corrections',
        tags: ['Receipts'],
        summary: 'Verdicts that proved wrong, newest first, and how many receipts were withdrawn',
        description:
          'The receipts themselves do not change. The log has the SHA-256 of every text. 100 on a page; /corrections is the page for people.',
        security: [],
        parameters: [PAGE, IF_NONE_MATCH],
        responses: {
          ...ok('Corrections.', { corrections }, ...PAGED),
          ...NOT_MODIFIED,
          ...problems(links, ['bad_request', 'store_unavailable']),
        },
      },
    },
  };
}

const PAGE: JsonObject = {
  name: 'page',
  in: 'query',
  required: false,
  description: 'Page, from 1.',
  schema: { type: 'integer', minimum: 1, maximum: CORRECTIONS_PAGES_MAX, default: 1 },
  example: 1,
};
