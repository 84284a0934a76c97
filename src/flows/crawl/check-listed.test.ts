import { describe, expect, it } from 'vitest';
import { memoryOpenEndpoints } from '../../../test/support/storing/memory-stores.ts';
import { viewOf } from '../../../test/support/vantage/views.ts';
import { answered, ENTRY, paywall, THIEF } from '../../../tools/samples/challenge.ts';
import { listed, listedInput } from '../../../tools/samples/listed.ts';
import { mergeListed } from '../../core/crawl/merge-listed.ts';
import { microUsd } from '../../core/money/micro-usd.ts';
import { judgeAgain } from '../../core/statement/judge-again.ts';
import { readStatement } from '../../core/statement/read-statement.ts';
import { statementOfCrawl } from '../../core/statement/stated-crawl.ts';
import type { ProbeMethod, ProbeOutcome } from '../../core/verdict/probe-outcome.ts';
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

describe('a listed endpoint whose rows differ about the method (G99)', () => {
  const ASKS = paywall([ENTRY]);
  const WANTS = answered({ status: 400 });
  const PAGE = answered({ status: 200 });
  const none = (status: number) => answered({ status });
  type Answers = Readonly<Record<ProbeMethod, ProbeOutcome>>;

  it.each<[string, ProbeMethod, Answers, [string, ProbeMethod, number]]>([
    [
      'another row says POST, which is not found',
      'GET',
      { GET: ASKS, POST: none(404) },
      ['price_ok', 'GET', 2],
    ],
    [
      'another row says POST, which is not allowed',
      'GET',
      { GET: ASKS, POST: none(405) },
      ['price_ok', 'GET', 2],
    ],
    [
      'another row says POST, which is refused',
      'GET',
      { GET: ASKS, POST: none(403) },
      ['price_ok', 'GET', 2],
    ],
    ['another row says GET, which is a page', 'POST', { GET: PAGE, POST: ASKS }, ['price_ok', 'POST', 2]],
    [
      'another row says GET, and it wants input',
      'POST',
      { GET: PAGE, POST: WANTS },
      ['needs_input', 'POST', 2],
    ],
    [
      'another row says POST, and it wants input',
      'GET',
      { GET: WANTS, POST: PAGE },
      ['needs_input', 'GET', 2],
    ],
    ['both ask for the payment', 'GET', { GET: ASKS, POST: ASKS }, ['price_ok', 'POST', 1]],
    ['neither asks for one', 'GET', { GET: none(404), POST: none(404) }, ['no_paywall', 'POST', 2]],
    [
      'it fails with the method of another row',
      'GET',
      { GET: ASKS, POST: none(500) },
      ['price_ok', 'GET', 2],
    ],
    ['it is down', 'GET', { GET: none(503), POST: none(503) }, ['server_error', 'POST', 2]],
    ['it is busy', 'GET', { GET: ASKS, POST: none(429) }, ['no_paywall', 'POST', 1]],
  ])('%s', async (_, own, answers, expected) => {
    const seen: ProbeMethod[] = [];
    const prober = {
      probe: async ({ method }: ProbeRequest) => {
        seen.push(method);
        return answers[method];
      },
      isSilent: () => false,
    };
    const row = (method: ProbeMethod, updatedMs: number) =>
      listed('https://a.example/x', { method, updatedMs });
    const rows = mergeListed(row(own, 1), row(own === 'GET' ? 'POST' : 'GET', 2), () => 0);
    const entropy = (bytes: number) => new Uint8Array(bytes);
    const openEndpoints = memoryOpenEndpoints();
    const receipt = await checkListed('run', rows, { prober, now, keyOf: String, openEndpoints, entropy });
    expect([receipt.code, receipt.method, seen.length]).toEqual(expected);
    expect([receipt.otherMethod, await openEndpoints.isOpen('https://a.example/x')]).toEqual([
      undefined,
      false,
    ]);
  });
});

describe('a listed endpoint for which the best row names another method, and input for it (G99)', () => {
  const ASKS = paywall([ENTRY]);
  const none = (status: number) => answered({ status });
  const MISSING = answered({ status: 404, body: Buffer.from('{"error":{"field":"a"}}') });
  /** The second one is that to another request with the same method. */
  type Answers = Readonly<Record<ProbeMethod, ProbeOutcome | readonly [ProbeOutcome, ProbeOutcome]>>;

  it.each<[string, Answers, [string, string, readonly string[]]]>([
    [
      'that method is not found',
      { GET: ASKS, POST: none(404) },
      ['price_ok', 'GET', ['POST {}', 'GET bare']],
    ],
    [
      'neither is found, which may mean that it wants the input',
      { GET: none(404), POST: none(404) },
      ['needs_input', 'POST', ['POST {}', 'GET bare']],
    ],
    [
      'neither is found, and that method names what is missing',
      { GET: none(404), POST: MISSING },
      ['no_paywall', 'POST', ['POST {}', 'POST {"a":1}']],
    ],
    [
      'that method names what is missing, and sells',
      { GET: none(404), POST: [MISSING, ASKS] },
      ['price_ok', 'POST', ['POST {}', 'POST {"a":1}']],
    ],
    [
      'that method wants input',
      { GET: none(404), POST: none(400) },
      ['needs_input', 'POST', ['POST {}', 'POST {"a":1}']],
    ],
  ])('%s', async (_, answers, expected) => {
    const seen: string[] = [];
    const prober = {
      probe: async ({ method, body = 'bare' }: ProbeRequest) => {
        seen.push(`${method} ${body}`);
        const its = answers[method];
        return 'kind' in its ? its : its[seen.length - 1 === 0 ? 0 : 1];
      },
      isSilent: () => false,
    };
    const input = listedInput({ example: { query: [], body: '{"a":1}' } });
    const honest = listed('https://a.example/x', { list: 'second' });
    const stranger = listed('https://a.example/x', { list: 'first', method: 'POST', input });
    const rows = mergeListed(honest, stranger, (list) => (list === 'first' ? 0 : 1));
    const entropy = (bytes: number) => new Uint8Array(bytes);
    const openEndpoints = memoryOpenEndpoints();
    const receipt = await checkListed('run', rows, { prober, now, keyOf: String, openEndpoints, entropy });
    expect([receipt.code, receipt.method, seen]).toEqual(expected);
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
