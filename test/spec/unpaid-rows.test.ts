import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkOf } from '../support/asking.ts';
import { CROWDED, startService, type TestService } from '../support/running/running-service.ts';

const TABLES = ['counters', 'quotes', 'lookup_counts', 'live_receipts', 'probe_cache', 'payments'];
const FROM = '100.64.9.9';

describe('what unpaid requests leave in the store (G47, G102)', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ settings: { ...CROWDED, READS_PER_ADDRESS_MINUTE: '100000' } });
  });
  afterAll(() => service.close());

  const rows = async (): Promise<Record<string, number>> => {
    await service.store.attribution.flush();
    const counts: Record<string, number> = {};
    for (const table of TABLES) {
      const [row] = await service.place.ask(`select count(*) as n from ${table}`);
      counts[table] = Number(row?.['n']);
    }
    return counts;
  };

  it.each([
    ['checks with a new ref', (n: number) => checkOf('http://a.example/honest', { ref: `ref-${n}` }), 2],
    ['checks with a new task', (n: number) => checkOf('http://a.example/honest', { task: `task-${n}` }), 0],
    [
      'checks with a new claim',
      (n: number) => checkOf('http://a.example/honest', { claimed_price: `0.0${n}` }),
      0,
    ],
    ['lookups with a new ref', (n: number) => `/v1/lookup?task=weather&ref=ref-${n}`, 5],
    ['lookups with a new payer', (n: number) => `/v1/lookup?task=weather&payer=0x${'1'.repeat(37)}${n}`, 0],
    ['paid lookups that nobody pays', (n: number) => `/v1/lookup/paid?task=weather&ref=ref-${n}`, 0],
  ])('300 %s', async (_, path, freeUses) => {
    // The free calls of the address come first; they leave what a free call leaves.
    const first = await Promise.all(
      Array.from({ length: 10 }, (_unused, n) => service.ask(path(100 + n), { from: FROM })),
    );
    expect(first.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(freeUses);
    const before = await rows();
    const answers = await Promise.all(
      Array.from({ length: 290 }, (_unused, n) => service.ask(path(200 + n), { from: FROM })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([402]));
    expect(await rows()).toEqual(before);
  });
});
