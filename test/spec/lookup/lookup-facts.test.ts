import { beforeAll, describe, expect, it } from 'vitest';
import { buildTaskIndex } from '../../../src/core/catalog/task-index.ts';
import { microUsd } from '../../../src/core/money/micro-usd.ts';
import { aService } from '../../../tools/samples/catalog.ts';
import { storeCalls, useService } from '../../support/asking.ts';
import { DOORS } from '../../support/running/running-service.ts';

const OTHER_PAYEE = '0x857b06519E91e3A54538791bDbb0E22373e36b66';
const TX = `0x${'ab'.repeat(32)}`;

const pass = { quality: 'pass' } as const;
const fail = { quality: 'fail', qualityReason: 'check 1 failed' } as const;
const ungraded = { quality: 'not_graded', qualityReason: 'no known answer' } as const;
const undelivered = { ...ungraded, delivered: false, httpStatus: 500 } as const;
const at = (time: string) => ({ calledAt: new Date(`2026-11-15T${time}.000Z`) });

/** A service that is alone under its task, or one of several that are ranked together. */
const listed = (id: string, changes: object = {}) =>
  aService({ id, tasks: [id], endpoint: `https://${id}.example.com/x`, ...changes });
const ranked = (id: string, price_usd: string) => listed(id, { tasks: ['ranked'], price_usd });

const INDEX = buildTaskIndex([
  ranked('ungraded-twin-b', '0.004'),
  ranked('ungraded-twin-a', '0.004'),
  ranked('ungraded-cheap', '0.001'),
  ranked('never-passes', '0.0005'),
  ranked('half', '0.001'),
  ranked('all-pass-dear', '0.1'),
  ranked('all-pass-cheap', '0.09'),
  ranked('delivers-nothing', '0.0001'),
  listed('in-full', {
    known_answer: {
      input: 'Berlin',
      pass_if: 'a temperature',
      predicates: [{ kind: 'at_least', path: '$.t', items: 1 }],
    },
  }),
  listed('seven-calls'),
  listed('two-undelivered'),
  listed('repaired'),
  listed('our-fault'),
  listed('pinned', { facts_only: 'asks for a login' }),
  listed('fresh'),
]);

describe.each(DOORS)('what a lookup knows from paid calls, through the %s', (door) => {
  const service = useService({ door, world: { index: INDEX } });
  const itemOf = async (id: string, query = '') => {
    const { json } = await service.ask(`/v1/lookup?endpoint=${id}${query}`);
    return json.results[0] ?? json.facts_only[0];
  };

  beforeAll(async () => {
    const { store } = service;
    await storeCalls(store, 'all-pass-dear', [pass, pass]);
    await storeCalls(store, 'all-pass-cheap', [pass]);
    await storeCalls(store, 'half', [pass, fail]);
    await storeCalls(store, 'never-passes', [fail]);
    await storeCalls(store, 'delivers-nothing', [undelivered, undelivered, undelivered]);
    await storeCalls(store, 'in-full', [
      { ...pass, ...at('09:00:00') },
      { ...fail, ...at('10:00:00'), payTo: OTHER_PAYEE },
      { ...undelivered, ...at('11:00:00'), tx: null, charged: null, httpStatus: null, latencyMs: null },
    ]);
    await store.paidCalls.keepCheck('in-full', {
      checkedAt: new Date('2026-11-15T08:00:00.000Z'),
      reachable: true,
      x402Challenge: true,
      quotedPrice: microUsd(50_000n),
      priceMatchesListing: false,
    });
    await storeCalls(
      store,
      'seven-calls',
      // The newest passes, the one before fails, all older ones pass.
      [pass, pass, pass, pass, pass, fail, pass].map((call, hour) => ({ ...call, ...at(`0${hour}:00:00`) })),
    );
    await storeCalls(store, 'two-undelivered', [pass, undelivered, undelivered]);
    await storeCalls(store, 'repaired', [
      { ...undelivered, ...at('01:00:00') },
      { ...undelivered, ...at('02:00:00') },
      { ...undelivered, ...at('03:00:00') },
      { ...fail, ...at('04:00:00') },
    ]);
    await storeCalls(store, 'our-fault', [
      { ...pass, ...at('01:00:00') },
      ...['02', '03', '04'].map((hour) => ({ ...undelivered, ...at(`${hour}:00:00`), ourFault: true })),
    ]);
    await storeCalls(store, 'fresh', [{ ...pass, calledAt: new Date('2026-11-14T00:00:00.000Z') }]);
  });

  it('sorts by pass rate with null last, then price, then id; what delivers nothing stands apart (G26)', async () => {
    const { json } = await service.ask('/v1/lookup?task=ranked');
    expect(json.results.map(({ id, pass_rate }: never) => [id, pass_rate])).toEqual([
      ['all-pass-cheap', 1],
      ['all-pass-dear', 1],
      ['half', 0.5],
      ['never-passes', 0],
      ['ungraded-cheap', null],
      ['ungraded-twin-a', null],
      ['ungraded-twin-b', null],
    ]);
    expect(json.facts_only.map(({ id }: { id: string }) => id)).toEqual(['delivers-nothing']);
    expect(json.matched).toBe(8);
  });

  it('keeps the order under a limit, which does not count facts_only', async () => {
    const { json } = await service.ask('/v1/lookup?task=ranked&limit=2');
    expect(json.results.map(({ id }: { id: string }) => id)).toEqual(['all-pass-cheap', 'all-pass-dear']);
    expect(json).toMatchObject({ matched: 8, facts_only: [{ id: 'delivers-nothing' }] });
  });

  it('shows every field of an item (G24)', async () => {
    expect(await itemOf('in-full')).toEqual({
      id: 'in-full',
      name: 'Plain Weather',
      provider: 'Example Instruments',
      description: 'Current temperature and wind for a pair of coordinates.',
      endpoint: 'https://in-full.example.com/x',
      method: 'GET',
      example: { method: 'GET', url: 'https://in-full.example.com/x', body: null },
      price_usd: '0.01',
      price_asset: 'USDC',
      network: 'eip155:8453',
      tasks: ['in-full'],
      pass_rate: 0.5,
      pass_rate_low: 0.095,
      delivered_rate: 0.667,
      graded_receipts: 2,
      passed_receipts: 1,
      receipts_considered: 3,
      quality_test: { input: 'Berlin', pass_if: 'a temperature' },
      last_check: {
        checked_at: '2026-11-15T08:00:00.000Z',
        reachable: true,
        x402_challenge: true,
        quoted_price_usd: 0.05,
        price_matches_listing: false,
      },
      newest_receipt_at: '2026-11-15T11:00:00.000Z',
      stale: false,
      listed_pay_to: null,
      pay_to: ['0x209693Bc6afc0C5328bA36FaF03C514EF312287C', OTHER_PAYEE],
      receipts: [
        {
          time: '2026-11-15T11:00:00.000Z',
          tx: null,
          explorer_url: null,
          charged_usd: null,
          delivered: false,
          quality: 'not_graded',
          quality_reason: 'no known answer',
          http_status: null,
          latency_ms: null,
        },
        expect.objectContaining({ time: '2026-11-15T10:00:00.000Z', quality: 'fail' }),
        {
          time: '2026-11-15T09:00:00.000Z',
          tx: TX,
          explorer_url: `https://basescan.org/tx/${TX}`,
          charged_usd: '0.01',
          delivered: true,
          quality: 'pass',
          quality_reason: 'the check passed',
          http_status: 200,
          latency_ms: 120,
        },
      ],
    });
  });

  it.each<[string, string, number, number]>([
    ['five by default', '', 5, 0.8],
    ['one', '&n=1', 1, 1],
    ['two', '&n=2', 2, 0.5],
    ['all there are', '&n=20', 7, 0.857],
  ])('looks at the last n paid calls: %s', async (_, query, considered, passRate) => {
    const item = await itemOf('seven-calls', query);
    expect([item.receipts.length, item.receipts_considered, item.pass_rate]).toEqual([
      considered,
      considered,
      passRate,
    ]);
    expect(item.receipts[0].time).toBe('2026-11-15T06:00:00.000Z');
  });

  describe('facts_only (G25)', () => {
    it('has the item without the rates, and the reason', async () => {
      const item = await itemOf('delivers-nothing');
      expect(item.facts_only_reason).toBe('the last 3 paid calls delivered nothing');
      expect(Object.keys(item).sort()).toEqual(
        [
          'description',
          'endpoint',
          'example',
          'facts_only_reason',
          'graded_receipts',
          'id',
          'last_check',
          'listed_pay_to',
          'method',
          'name',
          'network',
          'newest_receipt_at',
          'passed_receipts',
          'pay_to',
          'price_asset',
          'price_usd',
          'provider',
          'quality_test',
        ].concat(['receipts', 'receipts_considered', 'stale', 'tasks']),
      );
    });

    it.each<[string, string, 'results' | 'facts_only']>([
      ['two undelivered calls are not enough', 'two-undelivered', 'results'],
      ['one delivered call lifts it, even with a wrong answer', 'repaired', 'results'],
      ['our own faults are not held against a seller', 'our-fault', 'results'],
      ['an operator may pin it', 'pinned', 'facts_only'],
    ])('%s', async (_, id, where) => {
      const { json } = await service.ask(`/v1/lookup?endpoint=${id}`);
      expect(json[where].map((item: { id: string }) => item.id)).toEqual([id]);
      expect(json.matched).toBe(1);
    });

    it('shows the reason of the operator', async () => {
      expect((await itemOf('pinned')).facts_only_reason).toBe('asks for a login');
    });
  });

  it.each<[string, string, boolean]>([
    ['36 hours after the newest paid call', '2026-11-15T12:00:00.000Z', false],
    ['a millisecond later', '2026-11-15T12:00:00.001Z', true],
  ])('is stale after 36 hours: %s', async (_, now, stale) => {
    service.at(now);
    // Another n, because an answer is reused for a second.
    expect((await itemOf('fresh', stale ? '&n=6' : '&n=7')).stale).toBe(stale);
  });
});
