import { describe, expect, it } from 'vitest';
import { aCall, aService } from '../../../tools/samples/catalog.ts';
import { buildTaskIndex } from '../../core/catalog/task-index.ts';
import { microUsd } from '../../core/money/micro-usd.ts';
import type {
  DeclaredPayer,
  NamedTally,
  PaidTotal,
  TransferLog,
  TransfersRead,
} from '../../ports/attribution.ts';
import { reportAttribution } from './report-attribution.ts';

const SINCE = new Date('2026-10-16T00:00:00.000Z');
const FIRST = new Date('2026-11-01T10:00:00.000Z');
const wallet = (digit: string) => `0x${digit.repeat(40)}`;
const [BUYER, OTHER_BUYER] = [wallet('b'), wallet('c')];
const [SHOP, TWIN_SHOP, OLD_SHOP] = [wallet('1'), wallet('A'), wallet('3')];

const tally = (name: string | null, lookups = 1): NamedTally => ({ name, lookups, firstAt: FIRST });
const paid = (payer: string, payTo: string, payments: number, amount: bigint): PaidTotal => ({
  payer,
  payTo,
  payments,
  amount: microUsd(amount),
});

const INDEX = buildTaskIndex([
  aService({ id: 'shop', pay_to: SHOP }),
  aService({ id: 'twin-b', pay_to: TWIN_SHOP }),
  aService({ id: 'twin-a', pay_to: TWIN_SHOP.toLowerCase() }),
  aService({ id: 'moved' }),
  aService({ id: 'elsewhere', network: 'eip155:137', pay_to: wallet('9') }),
]);

/** A chain that writes down what it is asked. */
function chainWith(answer: TransfersRead) {
  const asked: { payers: readonly DeclaredPayer[]; payees: readonly string[] }[] = [];
  const transfers: TransferLog = {
    async paidBy(payers, payees) {
      asked.push({ payers, payees });
      return answer;
    },
  };
  return { asked, transfers };
}

function partsWith(payers: readonly NamedTally[], transfers: TransferLog) {
  const named = { client: [tally('an-agent', 3)], ref: [tally(null, 3)], payer: payers };
  return {
    attribution: {
      total: async () => 3,
      tally: async (by: keyof typeof named, _: Date, limit: number) => named[by].slice(0, limit),
      subjects: async () => [
        { subject: { kind: 'task', name: 'weather' }, lookups: 3, firstAt: FIRST } as const,
      ],
    },
    catalog: {
      index: INDEX,
      facts: {
        callsOf: async () =>
          new Map([
            ['moved', [aCall({ payTo: OLD_SHOP }), aCall({ payTo: null })]],
            ['elsewhere', [aCall({ payTo: wallet('8') })]],
          ]),
        checksOf: async () => new Map(),
      },
    },
    transfers,
  };
}

const read = (...all: PaidTotal[]): TransfersRead => ({ kind: 'read', since: FIRST, paid: all });

describe('the report about lookups', () => {
  it('has the counts, and asks no chain when nobody named a wallet', async () => {
    const { asked, transfers } = chainWith(read());
    expect(await reportAttribution(partsWith([tally(null, 3)], transfers), SINCE)).toEqual({
      since: SINCE,
      lookups: 3,
      refs: [tally(null, 3)],
      clients: [tally('an-agent', 3)],
      subjects: [{ subject: { kind: 'task', name: 'weather' }, lookups: 3, firstAt: FIRST }],
      payers: [],
      morePayers: false,
      chain: { kind: 'not_asked' },
    });
    expect(asked).toEqual([]);
  });

  it('asks for payments since the first lookup to every payee on Base that is listed or was paid', async () => {
    const { asked, transfers } = chainWith(read());
    await reportAttribution(partsWith([tally(BUYER, 2), tally(null, 1)], transfers), SINCE);
    expect(asked).toEqual([
      { payers: [{ payer: BUYER, since: FIRST }], payees: [SHOP, TWIN_SHOP.toLowerCase(), OLD_SHOP] },
    ]);
  });

  it('says who paid whom and for which services, the largest sum first', async () => {
    const { transfers } = chainWith(
      read(
        paid(BUYER, OLD_SHOP, 1, 5n),
        paid(BUYER, TWIN_SHOP.toLowerCase(), 2, 20_000n),
        paid(OTHER_BUYER, SHOP, 1, 7n),
        paid(BUYER, SHOP, 9, 5n),
      ),
    );
    const payers = [tally(BUYER, 2), tally(OTHER_BUYER, 1), tally(wallet('d'), 1)];
    const report = await reportAttribution(partsWith(payers, transfers), SINCE);
    expect(report.chain).toEqual({ kind: 'read', since: FIRST });
    expect(report.payers).toEqual([
      {
        payer: BUYER,
        lookups: 2,
        firstAt: FIRST,
        paid: [
          { payTo: TWIN_SHOP.toLowerCase(), services: ['twin-a', 'twin-b'], payments: 2, amount: 20_000n },
          { payTo: SHOP, services: ['shop'], payments: 9, amount: 5n },
          { payTo: OLD_SHOP, services: ['moved'], payments: 1, amount: 5n },
        ],
      },
      {
        payer: OTHER_BUYER,
        lookups: 1,
        firstAt: FIRST,
        paid: [{ payTo: SHOP, services: ['shop'], payments: 1, amount: 7n }],
      },
      { payer: wallet('d'), lookups: 1, firstAt: FIRST, paid: [] },
    ]);
  });

  it('shows the rest when the node cannot be asked', async () => {
    const { transfers } = chainWith({ kind: 'unavailable', because: 'no_answer' });
    const report = await reportAttribution(partsWith([tally(BUYER, 2)], transfers), SINCE);
    expect(report.chain).toEqual({ kind: 'unavailable', because: 'no_answer' });
    expect(report.payers).toEqual([{ payer: BUYER, lookups: 2, firstAt: FIRST, paid: [] }]);
    expect(report.lookups).toBe(3);
  });

  it.each([
    [100, 100, false],
    [101, 100, true],
  ])('of %i wallets it follows the %i that were named most', async (named, followed, more) => {
    const { asked, transfers } = chainWith(read());
    const payers = Array.from({ length: named }, (_, n) => tally(`0x${n.toString(16).padStart(40, '0')}`));
    const report = await reportAttribution(partsWith([tally(null, 9), ...payers], transfers), SINCE);
    expect([asked[0]?.payers.length, report.payers.length, report.morePayers]).toEqual([
      followed,
      followed,
      more,
    ]);
  });
});
