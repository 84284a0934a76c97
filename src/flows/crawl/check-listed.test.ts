import { describe, expect, it } from 'vitest';
import { memoryOpenEndpoints } from '../../../test/support/storing/memory-stores.ts';
import { ENTRY, paywall, THIEF } from '../../../tools/samples/challenge.ts';
import { listed } from '../../../tools/samples/listed.ts';
import type { ProbeOutcome } from '../../core/verdict/probe-outcome.ts';
import { checkListed } from './check-listed.ts';

const now = () => new Date('2026-11-15T12:00:00.000Z');

function crawled(outcome: ProbeOutcome) {
  const prober = { probe: async () => outcome, isSilent: () => false };
  const entropy = (bytes: number) => new Uint8Array(bytes);
  const keyOf = (text: string) => text;
  const ports = { prober, now, keyOf, openEndpoints: memoryOpenEndpoints(), entropy };
  return checkListed('run', listed('https://a.example/x'), ports);
}

describe('the receipt of a crawl', () => {
  it.each<[string, ProbeOutcome, string, unknown]>([
    [
      'a refused challenge',
      paywall([{ ...ENTRY, payTo: '' }]),
      'bad_challenge',
      [
        { code: 'payee_missing', source: 'header', path: '$.accepts[0].payTo' },
        { code: 'resource_missing', source: 'header', path: '$.resource' },
      ],
    ],
    [
      'header fields that are too large',
      { kind: 'headers_too_large' },
      'bad_challenge',
      [{ code: 'headers_too_large', source: 'answer', path: null }],
    ],
    [
      'terms that only differ from the listing',
      paywall([{ ...ENTRY, payTo: THIEF }]),
      'pay_to_mismatch',
      undefined,
    ],
    ['terms that are approved', paywall([ENTRY]), 'price_ok', undefined],
  ])('says of %s what to change', async (_, outcome, code, diagnostics) => {
    const receipt = await crawled(outcome);
    expect([receipt.code, receipt.diagnostics]).toEqual([code, diagnostics]);
  });
});
