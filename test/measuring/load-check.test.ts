import { describe, expect, it } from 'vitest';
import { type Evidence, violationsIn } from '../../lab/load/check.ts';

const times = { count: 1_000, p50: 1_000, p99: 4_000, max: 9_000 };
const request = {
  host: '127.0.1.1:80',
  agent: 'Assay-Prober/lab',
  target: 'GET /honest?load=1',
  hasPayment: false,
  startedAt: 1_000,
  endedAt: 1_010,
  answered: true,
};
const growth = { name: 'replica', firstBytes: 100, lastBytes: 104, ratio: 1.04, course: [], openFiles: 80 };
const GOOD: Evidence = {
  steady: {
    seconds: 60,
    rows: { lookup: times },
    all: times,
    own: times,
    late: times,
    statuses: { 200: 990, 402: 10 },
    dropped: 0,
    cpuSeconds: 3,
  },
  statuses: { 200: 1_990, 402: 20 },
  clients: {
    journal: {
      receipts: { acknowledged: 7, read: 7, missing: 0 },
      paid: { answers: 2, offered: '30000', charged: '30000' },
      unexpected: 0,
      examples: [],
    },
    allowances: { lookup: { callers: 40, wrong: 0, examples: [] } },
  },
  transfers: [{ units: 20_000n }, { units: 10_000n }],
  openPayments: 0,
  settledPayments: 2,
  seen: { requests: [request, { ...request, startedAt: 301_000 }], dropped: 0 },
  probesPerUrl: 1,
  growth: [growth, { ...growth, name: 'surroundings', ratio: 1.4 }],
  judgesGrowth: true,
  falls: [],
  faults: [],
};
const withJournal = (changes: Partial<Evidence['clients']['journal']>): Partial<Evidence> => ({
  clients: { ...GOOD.clients, journal: { ...GOOD.clients.journal, ...changes } },
});
const withSteady = (changes: Partial<Evidence['steady']>): Partial<Evidence> => ({
  steady: { ...GOOD.steady, ...changes },
});

describe('the checker of a load', () => {
  it('finds nothing where everything held', () => {
    expect(violationsIn(GOOD)).toEqual([]);
  });

  it.each<[why: string, planted: Partial<Evidence>, found: RegExp]>([
    [
      'a transfer that nobody has an answer for',
      { transfers: [...GOOD.transfers, { units: 0n }] },
      /^3 transfers/,
    ],
    [
      'another amount than was offered',
      { transfers: [{ units: 20_000n }, { units: 10_001n }] },
      /^moved 30001/,
    ],
    [
      'an answer that says it cost less',
      withJournal({ paid: { answers: 2, offered: '30000', charged: '20000' } }),
      /said to be charged 20000/,
    ],
    ['a settled payment too many', { settledPayments: 3 }, /^3 settled in the ledger/],
    ['a payment without an outcome', { openPayments: 1 }, /^1 payments of the ledger/],
    [
      'a caller with six free lookups',
      {
        clients: {
          ...GOOD.clients,
          allowances: { lookup: { callers: 40, wrong: 1, examples: ['caller 3: 6 of 5 granted'] } },
        },
      },
      /^lookup: 1 of 40 callers.*6 of 5/,
    ],
    [
      'a second probe within five minutes',
      { seen: { requests: [request, { ...request, startedAt: 300_999 }], dropped: 0 } },
      /^1 URLs were probed more than 1 times.*honest/,
    ],
    [
      'a third where each of two processes may',
      {
        probesPerUrl: 2,
        seen: { requests: [1, 2, 3].map((startedAt) => ({ ...request, startedAt })), dropped: 0 },
      },
      /more than 2 times/,
    ],
    [
      'a probe with a payment',
      { seen: { requests: [{ ...request, hasPayment: true }], dropped: 0 } },
      /^1 probes carried/,
    ],
    ['probes that nobody looked at', { seen: { requests: [], dropped: 4 } }, /^4 requests to sellers/],
    ['a 5xx, also before the steady phase', { statuses: { 200: 5, 503: 1 } }, /5xx: 1 x 503/],
    [
      'an unexpected answer',
      withJournal({ unexpected: 1, examples: ['tasks answered 404'] }),
      /tasks answered 404/,
    ],
    [
      'a receipt that is not served',
      withJournal({ receipts: { acknowledged: 7, read: 6, missing: 1 } }),
      /^of 7 receipts 6 were served and 1/,
    ],
    [
      'a receipt that nobody asked for again',
      withJournal({ receipts: { acknowledged: 7, read: 6, missing: 0 } }),
      /^of 7 receipts 6 were served/,
    ],
    ['requests without room', withSteady({ dropped: 3 }), /^3 requests found no room/],
    ['a process that fell', { falls: ['replica-1 ended with 1'] }, /^replica-1 ended/],
    ['a fault in the log', { faults: ['r-1: Error'] }, /^a fault of the service: r-1/],
    [
      'a long tail of one operation',
      withSteady({ rows: { lookup: { ...times, p99: 10_000 } } }),
      /^lookup: p99 of 10000/,
    ],
    [
      'a long tail over all',
      withSteady({ all: { ...times, p99: 10_500 } }),
      /^all operations: p99.*10\.5 times/,
    ],
    [
      'a long tail of all but purchases',
      withSteady({ own: { ...times, p99: 10_500 } }),
      /^all but purchases: p99.*10\.5 times/,
    ],
    ['a replica that grows', { growth: [{ ...growth, ratio: 1.05 }] }, /^replica grew to 1\.050/],
    ['memory that nobody measured', { growth: [{ ...growth, ratio: Number.NaN }] }, /^replica grew to NaN/],
  ])('bites: %s', (_, planted, found) => {
    const violations = violationsIn({ ...GOOD, ...planted });
    expect(violations).toHaveLength(1);
    expect(violations[0]).toMatch(found);
  });

  it.each<[why: string, harmless: Partial<Evidence>]>([
    ['a tail of few answers', withSteady({ rows: { pack: { ...times, count: 199, p99: 90_000 } } })],
    ['growth in a short run', { judgesGrowth: false, growth: [{ ...growth, ratio: 1.3 }] }],
    [
      'two probes of one URL by two methods',
      { seen: { requests: [request, { ...request, target: 'POST /x' }], dropped: 0 } },
    ],
  ])('says nothing of %s', (_, harmless) => {
    expect(violationsIn({ ...GOOD, ...harmless })).toEqual([]);
  });
});
