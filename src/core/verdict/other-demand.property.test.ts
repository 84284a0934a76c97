import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  DAI,
  NOTHING,
  SOLANA,
  SOLANA_PAYEE,
  USDC_ON_SOLANA,
  verdictOf,
} from '../../../test/support/judging.ts';
import { sized } from '../../../test/support/sized.ts';
import { ENTRY, PAYEE, paywall, THIEF } from '../../../tools/samples/challenge.ts';
import type { Verdict } from './verdict.ts';

const RUNS = { numRuns: sized(2_000, 20_000) };

const entry = fc.oneof(
  fc.record({
    scheme: fc.constantFrom('exact', 'exact', 'exact', 'upto'),
    network: fc.constantFrom('eip155:8453', 'eip155:8453', 'base', 'eip155:137', 'eip155:56', 'nowhere'),
    asset: fc.constantFrom(ENTRY.asset, ENTRY.asset, DAI),
    payTo: fc.constantFrom(PAYEE, PAYEE, PAYEE, PAYEE.toLowerCase(), THIEF, ''),
    amount: fc.constantFrom('10000', '10000', '10000', '9999', '10001', '010000', '1e4'),
    maxTimeoutSeconds: fc.constantFrom(60, 60, 60, 86_401),
    extra: fc.constantFrom({}, {}, {}, { assetTransferMethod: 'eip3009' }),
  }),
  fc.constant({ ...ENTRY, network: SOLANA, asset: USDC_ON_SOLANA, payTo: SOLANA_PAYEE }),
  fc.constantFrom(null, {}, 'exact'),
);
const entries = fc.array(entry, { minLength: 1, maxLength: 5 });
const BY_PERMIT = { ...ENTRY, extra: { assetTransferMethod: 'permit2' } };
const withPermits = fc.array(
  fc.constantFrom(
    ENTRY,
    BY_PERMIT,
    { ...BY_PERMIT, network: 'base' },
    { ...BY_PERMIT, amount: '9999' },
    null,
  ),
  { minLength: 1, maxLength: 4 },
);

/** What one entry spoils, no other can mend. */
const SPOILT: ReadonlySet<string> = new Set(['other_payee', 'dearer_entry', 'odd_entry', 'too_many_entries']);

function isSpoilt(verdict: Verdict): boolean {
  return verdict.reason === 'bad_challenge' && SPOILT.has(verdict.fault.kind);
}

const inUsdc = z.object({
  scheme: z.literal('exact'),
  asset: z.literal([ENTRY.asset, USDC_ON_SOLANA]),
  payTo: z.string().min(1),
  amount: z.string(),
});

/** What a client would pay at most; infinite when an amount cannot be read. */
function dearestOf(list: readonly unknown[]): number {
  const amounts = list.flatMap((one) => inUsdc.safeParse(one).data?.amount ?? []);
  return Math.max(
    ...amounts.map((text) => (/^[1-9][0-9]*$/.test(text) ? Number(text) : Number.POSITIVE_INFINITY)),
  );
}

describe('several demands in one 402 (G95)', () => {
  it('are judged alike in any order', () => {
    const shuffled = entries.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    );
    const seen = new Set<string>();
    fc.assert(
      fc.property(shuffled, ([list, other]) => {
        const verdict = verdictOf(paywall(list), NOTHING);
        seen.add(verdict.verdict);
        const again = verdictOf(paywall(other), NOTHING);
        expect([again.verdict, again.reason]).toEqual([verdict.verdict, verdict.reason]);
      }),
      RUNS,
    );
    expect([...seen].sort()).toEqual(['pay', 'skip']);
  });

  it('are not mended by more entries', () => {
    const seen = { spoilt: 0 };
    fc.assert(
      fc.property(entries, entries, (list, added) => {
        if (!isSpoilt(verdictOf(paywall(list), NOTHING))) return;
        seen.spoilt += 1;
        for (const more of [
          [...list, ...added],
          [...added, ...list],
          [ENTRY, ...list],
        ]) {
          const verdict = verdictOf(paywall(more), NOTHING);
          // A dearer entry is no longer dearer once its price is approved.
          if (verdict.verdict === 'pay') expect(dearestOf(more)).toBe(Number(verdict.terms.amountAtomic));
          else expect(verdict.verdict).toBe('skip');
        }
      }),
      RUNS,
    );
    expect(seen.spoilt).toBeGreaterThan(50);
  });

  it('never let a client meet a permit before the transfer that is approved (G96)', () => {
    const seen = { permits: 0 };
    fc.assert(
      fc.property(withPermits, (list) => {
        const verdict = verdictOf(paywall(list), NOTHING);
        if (verdict.verdict !== 'pay') return;
        const methods = list.filter((one) => one !== null).map((one) => 'assetTransferMethod' in one.extra);
        if (methods.includes(true)) seen.permits += 1;
        expect(methods[0] ?? false).toBe(false);
      }),
      RUNS,
    );
    expect(seen.permits).toBeGreaterThan(5);
  });
});
