import * as z from 'zod';
import type { SeenByOthers } from '../../core/receipt/seen-by-others.ts';
import { caip2, moment, usd, usdOrNull, verdict } from './shapes.ts';

const view = z.object({
  vantage: z.string().describe('Its name; its key and signature are in the statement.'),
  at: moment.describe('When it probed, UTC, by its own clock.'),
  verdict: verdict.describe('The result that the check would have had there.'),
  reason: z.string().describe('Why, as a code of reason.'),
  quoted_price_usd: usd.nullable().describe('Price that it was asked for, USD; null without one.'),
  pay_to: z.string().nullable().describe('Payee that it was shown; null without one.'),
  network: caip2.nullable().describe('Network that it was shown, CAIP-2; null without one.'),
});

export const vantagesShape = z
  .object({
    needed: z.int().describe('How many had to agree.'),
    views: z.array(view).describe('Those that answered in time.'),
  })
  .describe('What other points of view saw at the same time.');

/** Left out where nobody else was asked. */
export const vantagesMember = {
  vantages: vantagesShape.optional().describe('What other points of view saw; absent if none was asked.'),
};

export function vantagesJson(others: SeenByOthers | null): {
  vantages?: z.infer<typeof vantagesShape>;
} {
  if (others === null) return {};
  return {
    vantages: {
      needed: others.needed,
      views: others.views.map(({ quoted, at, ...one }) => ({
        vantage: one.vantage,
        at: at.toISOString(),
        verdict: one.verdict,
        reason: one.reason,
        quoted_price_usd: usdOrNull(quoted?.price ?? null),
        pay_to: quoted?.payTo ?? null,
        network: quoted?.network ?? null,
      })),
    },
  };
}
