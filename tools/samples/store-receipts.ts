import { type LiveReceipt, liveReceipt } from '../../src/core/receipt/live-receipt.ts';
import { expectedTerms } from '../../src/core/verdict/expected-terms.ts';
import { judge } from '../../src/core/verdict/judge.ts';
import { observe } from '../../src/core/verdict/observation.ts';
import { ENTRY, paywall } from './challenge.ts';
import { LISTED, target } from './listed.ts';

export const SALT = 'AAECAwQFBgcICQoLDA0ODw';
export const NOON = new Date('2026-11-15T12:00:00.000Z');

export function afterNoon(ms: number): Date {
  return new Date(NOON.getTime() + ms);
}

/** The id of the n-th receipt of a test; ids rise with n. */
export function receiptId(n: number): string {
  return `sc-${n.toString(16).padStart(16, '0')}`;
}

/** A `pay` of one cent on Base with everything filled in, so that storing it loses nothing unnoticed. */
export function aReceipt(changes: Partial<LiveReceipt> = {}): LiveReceipt {
  const observation = observe(paywall([ENTRY]));
  const expected = expectedTerms(LISTED, null);
  const receipt = liveReceipt({
    id: receiptId(1),
    target: target('https://a.example/x'),
    method: 'GET',
    checkedAt: NOON,
    selfTest: false,
    mode: 'live',
    ref: null,
    task: 'weather',
    listing: { ...LISTED, sourceList: 'a-list' },
    expected,
    observation,
    probe: { probedAt: NOON, cached: false },
    verdict: judge(observation, expected, NOON).verdict,
    listedMethod: 'GET',
    salt: SALT,
  });
  return { ...receipt, ...changes };
}
