import { describe, expect, it } from 'vitest';
import { memoryOpenEndpoints } from '../../../test/support/storing/memory-stores.ts';
import { viewOf } from '../../../test/support/vantage/views.ts';
import { answered, ENTRY, paywall, THIEF } from '../../../tools/samples/challenge.ts';
import { listed } from '../../../tools/samples/listed.ts';
import { microUsd } from '../../core/money/micro-usd.ts';
import { judgeAgain } from '../../core/statement/judge-again.ts';
import { readStatement } from '../../core/statement/read-statement.ts';
import { statementOfCrawl } from '../../core/statement/stated-crawl.ts';
import type { ProbeOutcome } from '../../core/verdict/probe-outcome.ts';
import type { ProbeRequest } from '../../ports/prober.ts';
import type { Vantages } from '../../ports/vantages.ts';
import { checkListed } from './check-listed.ts';

const now = () => new Date('2026-11-15T12:00:00.000Z');

function crawled(outcome: ProbeOutcome, vantages?: Vantages) {
  const prober = { probe: async () => outcome, isSilent: () => false };
  const entropy = (bytes: number) => new Uint8Array(bytes);
  const keyOf = (text: string) => text;
  const ports = { prober, now, keyOf, openEndpoints: memoryOpenEndpoints(), entropy };
  const others = vantages === undefined ? {} : { vantages };
  return checkListed('run', listed('https://a.example/x'), { ...ports, ...others });
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

describe('a listed endpoint with other points of view', () => {
  const HONEST = paywall([ENTRY]);
  const THEFT = paywall([{ ...ENTRY, payTo: THIEF }]);
  const NOTHING = answered({ status: 403 });
  const GONE: ProbeOutcome = { kind: 'unreachable', cause: 'name_not_found' };

  it.each<[string, ProbeOutcome, readonly ProbeOutcome[], [string, string, number], bigint?]>([
    ['all refuse it', THEFT, [THEFT], ['skip', 'pay_to_mismatch', 1]],
    ['others are shown what is listed', THEFT, [HONEST], ['skip', 'terms_differ', 1]],
    ['only we are kept out', NOTHING, [HONEST, NOTHING], ['recheck', 'unconfirmed', 1]],
    ['only we do not find the name', GONE, [HONEST], ['recheck', 'unconfirmed', 1]],
    ['nobody else is there', NOTHING, [], ['skip', 'no_paywall', 1]],
    ['a payment below their price', HONEST, [THEFT], ['pay', 'price_ok', 0], 10_001n],
    ['a payment that others confirm', HONEST, [HONEST], ['pay', 'price_ok', 1], 10_000n],
    ['a payment that others are not asked for', HONEST, [THEFT], ['skip', 'terms_differ', 1], 10_000n],
    ['a payment that nobody confirms', HONEST, [], ['recheck', 'unconfirmed', 1], 10_000n],
    ['nobody may request it', { kind: 'blocked' }, [HONEST], ['skip', 'ssrf_blocked', 0]],
  ])('%s', async (_, own, others, [verdict, code, asked], from = 10_000n) => {
    const requests: ProbeRequest[] = [];
    const receipt = await crawled(own, {
      needed: 1,
      fromPrice: microUsd(from),
      has: () => true,
      ask: async (request) => {
        requests.push(request);
        return others.map((outcome, n) => viewOf(outcome, undefined, n));
      },
    });
    expect([receipt.verdict, receipt.code, requests.length]).toEqual([verdict, code, asked]);
    const statement = readStatement(statementOfCrawl(receipt) ?? '');
    expect(statement === null ? null : judgeAgain(statement)).toEqual([]);
  });
});
