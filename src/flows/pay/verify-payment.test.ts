import { describe, expect, it } from 'vitest';
import { PAYER, PRICE, SELLER, unsigned } from '../../../test/support/paying/charging-payments.ts';
import { memoryCounters } from '../../../test/support/storing/memory-stores.ts';
import type { SignedBy, Verification } from '../../ports/facilitator.ts';
import { verifyPayment } from './verify-payment.ts';

const FAILURES = [{ key: 'failures', window: 'noon', limit: 2 }];
const VALID: Verification = { kind: 'valid', payer: PAYER };
const POOR: Verification = { kind: 'invalid', reason: 'insufficient_funds' };
const USED: Verification = { kind: 'invalid', reason: 'already_used' };
const SILENT: Verification = { kind: 'unavailable' };
const FORGED: Verification = { kind: 'invalid', reason: 'bad_signature' };
const LIMIT = { kind: 'failure_limit' };

/** Three payments of one network, one after the other. */
async function threeOf(signedBy: SignedBy, verification: Verification) {
  const counters = memoryCounters();
  let asked = 0;
  const ports = {
    counters,
    signatures: { signedBy: async () => signedBy },
    facilitator: {
      verify: async () => {
        asked += 1;
        return verification;
      },
    },
  };
  const outcomes: unknown[] = [];
  for (const n of [1, 2, 3]) {
    outcomes.push(await verifyPayment(unsigned({ n }), { amount: PRICE, payTo: SELLER }, FAILURES, ports));
  }
  const [counted] = await counters.used(FAILURES);
  return { outcomes, asked, counted };
}

describe('the verification of payments of one network, of which two may fail (L91)', () => {
  it.each<[why: string, SignedBy, Verification, outcomes: unknown[], asked: number, counted: number]>([
    ['forged ones are never asked about', 'another', VALID, [FORGED, FORGED, LIMIT], 0, 2],
    ['good ones are not counted', 'payer', VALID, [VALID, VALID, VALID], 3, 0],
    ["a payer's own are asked about beyond the budget", 'payer', POOR, [POOR, POOR, POOR], 3, 2],
    ['one that was used is no forgery', 'payer', USED, [USED, USED, USED], 3, 0],
    ['those of contracts fail within the budget', 'not_known', POOR, [POOR, POOR, LIMIT], 2, 2],
    ['good ones of contracts are not counted', 'not_known', VALID, [VALID, VALID, VALID], 3, 0],
    ['a silent facilitator is not their fault', 'not_known', SILENT, [SILENT, SILENT, SILENT], 3, 0],
  ])('%s', async (_, signedBy, verification, outcomes, asked, counted) => {
    expect(await threeOf(signedBy, verification)).toEqual({ outcomes, asked, counted });
  });

  it('a fault is not counted either', async () => {
    const counters = memoryCounters();
    const ports = {
      counters,
      signatures: { signedBy: async (): Promise<SignedBy> => 'not_known' },
      facilitator: { verify: () => Promise.reject(new Error('our own fault')) },
    };
    const verified = verifyPayment(unsigned(), { amount: PRICE, payTo: SELLER }, FAILURES, ports);
    await expect(verified).rejects.toThrow('our own fault');
    expect(await counters.used(FAILURES)).toEqual([0]);
  });
});
