import { z } from 'zod';

/** The members that both forms have; docs/interface.md describes all of them. */
export const statementShape = z
  .looseObject({
    assay: z.enum(['receipt/1', 'crawl/1']),
    id: z.string(),
    url: z.string(),
    method: z.enum(['GET', 'POST']),
    checked_at: z.string(),
    expected: z.looseObject({}).describe('What the terms were compared with'),
    verdict: z.enum(['pay', 'skip', 'recheck']),
    reason: z.string(),
    seen: z.looseObject({}).optional().describe('All that the judge looked at; absent without a request'),
    rules: z.string().describe('The version of the rules: /log/rules/{version}.mjs judges it again'),
    salt: z.string(),
  })
  .describe('One line of canonical JSON (RFC 8785): hash the bytes as they are, and never write them anew');
