import * as z from 'zod';
import { closedList, probeMethod, verdict } from '../shapes.ts';

/** The members that both forms have; docs/interface.md describes all of them. */
export const statementShape = z
  .looseObject({
    assay: closedList('Format.', {
      'receipt/1': 'a spot-check',
      'crawl/1': 'a check of the crawl',
    }),
    id: z.string().describe('Receipt id.'),
    url: z.string().describe('The URL that was checked; secrets in it are REDACTED.'),
    method: probeMethod,
    checked_at: z.string().describe('Time of the check, UTC.'),
    expected: z.looseObject({}).describe('What the terms were compared with.'),
    verdict,
    reason: z.string().describe('Why: a code, or the words of the crawl.'),
    seen: z.looseObject({}).optional().describe('All that the judge looked at; absent without a request.'),
    rules: z.string().describe('Version of the rules; /log/rules/{version}.mjs judges it again.'),
    salt: z.string().describe('Random text, so that the hash does not reveal the content.'),
  })
  .describe(
    'One line of canonical JSON (RFC 8785): hash the bytes as they are, and do not serialize them again.',
  );
