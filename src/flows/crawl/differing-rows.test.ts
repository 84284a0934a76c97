import { describe, expect, it } from 'vitest';
import { memoryOpenEndpoints } from '../../../test/support/storing/memory-stores.ts';
import { answered, ENTRY, paywall } from '../../../tools/samples/challenge.ts';
import { listed, listedInput } from '../../../tools/samples/listed.ts';
import type { ListedEndpoint } from '../../core/crawl/listed-endpoint.ts';
import { mergeListed } from '../../core/crawl/merge-listed.ts';
import type { ProbeMethod, ProbeOutcome } from '../../core/verdict/probe-outcome.ts';
import type { ProbeRequest } from '../../ports/prober.ts';
import { checkListed } from './check-listed.ts';

const now = () => new Date('2026-11-15T12:00:00.000Z');

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

describe('a listed endpoint that other rows spell otherwise (G99)', () => {
  const ASKS = paywall([ENTRY]);
  const PAGE = answered({ status: 200 });
  const none = (status: number) => answered({ status });
  const input = listedInput({ example: { query: [], body: '{"a":1}' } });

  it.each<
    [
      string,
      readonly Partial<ListedEndpoint>[],
      Readonly<Record<string, ProbeOutcome>>,
      [string, string, string[]],
    ]
  >([
    ['one is not found', [{}], { '/x': none(404), '/x/': ASKS }, ['price_ok', '/x/', ['GET /x', 'GET /x/']]],
    ['one is a page', [{}], { '/x': PAGE, '/x/': ASKS }, ['price_ok', '/x/', ['GET /x', 'GET /x/']]],
    ['both ask for the payment', [{}], { '/x': ASKS, '/x/': PAGE }, ['price_ok', '/x', ['GET /x']]],
    [
      'neither is found',
      [{}],
      { '/x': none(404), '/x/': none(404) },
      ['no_paywall', '/x', ['GET /x', 'GET /x/']],
    ],
    [
      'one wants input',
      [{}],
      { '/x': none(404), '/x/': none(400) },
      ['needs_input', '/x/', ['GET /x', 'GET /x/']],
    ],
    [
      'neither is found, and another row says POST',
      [{ method: 'POST' }],
      { '/x': none(404), '/x/': none(404) },
      ['needs_input', '/x', ['GET /x', 'GET /x/']],
    ],
    [
      'it is not allowed, and another row says POST',
      [{ method: 'POST' }],
      { '/x': none(405), '/x/': none(404), 'POST /x': ASKS },
      ['price_ok', '/x', ['GET /x', 'POST /x']],
    ],
    [
      'one is not found, and has input',
      [{ input }],
      { '/x': none(404), '/x/': ASKS },
      ['price_ok', '/x/', ['GET /x', 'GET /x/']],
    ],
  ])('%s', async (_, [changes], answers, expected) => {
    const seen: string[] = [];
    const prober = {
      probe: async ({ method, target: { pathAndQuery } }: ProbeRequest) => {
        seen.push(`${method} ${pathAndQuery}`);
        return answers[`${method} ${pathAndQuery}`] ?? answers[pathAndQuery] ?? none(500);
      },
      isSilent: () => false,
    };
    const honest = listed('https://a.example/x/', { list: 'second', ...changes });
    const stranger = listed('https://a.example/x', { list: 'first', ...(changes?.input ? { input } : {}) });
    const rows = mergeListed(honest, stranger, (list) => (list === 'first' ? 0 : 1));
    const entropy = (bytes: number) => new Uint8Array(bytes);
    const openEndpoints = memoryOpenEndpoints();
    const receipt = await checkListed('run', rows, { prober, now, keyOf: String, openEndpoints, entropy });
    expect([receipt.code, new URL(receipt.url).pathname, seen]).toEqual(expected);
  });
});
