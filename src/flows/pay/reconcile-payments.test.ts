import { describe, expect, it } from 'vitest';
import type { PaymentChanges } from '../../../test/support/paying/charging-payments.ts';
import { finishPlainly, PAYER, SELLER, unsigned } from '../../../test/support/paying/charging-payments.ts';
import { afterNoon, NOON } from '../../../tools/samples/store-receipts.ts';
import { keepPayment, type Payment } from '../../core/x402/payment-payload.ts';
import type { AuthorizationUse, Charge, Settlement } from '../../ports/facilitator.ts';
import type { OpenSettlement } from '../../ports/payment-ledger.ts';
import { type ReconcilePorts, reconcilePayments } from './reconcile-payments.ts';

const SETTLED: Settlement = { kind: 'settled', tx: '0xabc', payer: PAYER };
const REVERTED: Settlement = { kind: 'reverted', tx: '0xfa11' };
const REFUSED: Settlement = { kind: 'refused', reason: 'insufficient_funds' };
const UNKNOWN: Settlement = { kind: 'unknown' };
const USED: AuthorizationUse = { kind: 'used', tx: '0xdef' };

/** A settlement that was asked for at noon, by the n-th payment. */
function anOpen(changes: Partial<OpenSettlement> = {}, payment: PaymentChanges = {}): OpenSettlement {
  return {
    key: `payment ${payment.n ?? 1}`,
    holder: 'attempt',
    state: 'unknown',
    prepared: { operation: 'pack', body: 'goods', receipt: null },
    payment: keepPayment(unsigned(payment)),
    since: NOON,
    ...changes,
  };
}

interface Told {
  readonly open: Awaited<ReturnType<ReconcilePorts['ledger']['open']>>;
  settle: (payment: Payment) => Promise<Settlement>;
  useOf: () => Promise<AuthorizationUse>;
  rejects: boolean;
  isOpen: boolean;
}

/** A reconciler a minute past noon, among others that say what they are told. */
function world(changes: Partial<Told> = {}) {
  const told: Told = {
    open: [anOpen()],
    settle: async () => SETTLED,
    useOf: async () => ({ kind: 'unavailable' }),
    rejects: true,
    isOpen: true,
    ...changes,
  };
  const clock = { now: afterNoon(60_000) };
  const written: string[] = [];
  const asked: Charge[] = [];
  const faults: unknown[] = [];
  const opened: [before: Date, limit: number][] = [];
  const ports: ReconcilePorts = {
    ledger: {
      async open(before, limit, after) {
        opened.push([before, limit]);
        const from = after === undefined ? 0 : told.open.findIndex(({ key }) => key === after.key) + 1;
        return told.open.slice(from, from + limit);
      },
      async settle({ key, holder }, answer, tx) {
        written.push(`${holder} settles ${key} in ${tx}: ${answer.body}`);
        return answer;
      },
      async reject({ key, holder }, _, revertedTx = null) {
        written.push(`${holder} rejects ${key}${revertedTx === null ? '' : ' for ever'}`);
        return told.rejects;
      },
      takeSend: async () => true,
      async endSends({ key, holder }) {
        written.push(`${holder} never sends ${key} again`);
      },
      async leaveOpen({ key, holder }) {
        written.push(`${holder} leaves ${key} open`);
        return told.isOpen;
      },
    },
    facilitator: {
      settle(payment, charge) {
        asked.push(charge);
        return told.settle(payment);
      },
    },
    authorizationLog: { useOf: () => told.useOf() },
    finish: finishPlainly,
    clock: { now: () => clock.now },
    onFault: (fault) => faults.push(fault),
    onUnreadable: ({ key }) => faults.push(`${key} cannot be read`),
  };
  return {
    reconcile: (graceMs = 0) => reconcilePayments(ports, graceMs),
    ports,
    clock,
    written,
    asked,
    faults,
    opened,
  };
}

const settlesIn = (tx: string) => `attempt settles payment 1 in ${tx}: pack goods paid 20000 by ${PAYER}`;
const REJECTS = 'attempt rejects payment 1';
const ENDS = 'attempt never sends payment 1 again';
const LEAVES = 'attempt leaves payment 1 open';
const [settled, rejected, open] = [
  { settled: 1, rejected: 0, open: 0 },
  { settled: 0, rejected: 1, open: 0 },
  { settled: 0, rejected: 0, open: 1 },
];
/** The payment runs out 300 seconds past noon, and a minute is left to clocks that differ. */
const unusedAt = (asOf: Date): AuthorizationUse => ({ kind: 'unused', asOf });
const [ENDING, OVER] = [afterNoon(360_999), afterNoon(361_000)];

describe('a settlement without an outcome (G64)', () => {
  it.each<[string, Settlement, AuthorizationUse, Date, object, string | null]>([
    ['is settled when the facilitator says so', SETTLED, { kind: 'void' }, NOON, settled, settlesIn('0xabc')],
    ['is settled when the chain has it', UNKNOWN, USED, NOON, settled, settlesIn('0xdef')],
    ['is settled by the chain, whatever is refused now', REFUSED, USED, OVER, settled, settlesIn('0xdef')],
    ['is over for ever when it reverted', REVERTED, unusedAt(NOON), NOON, rejected, `${REJECTS} for ever`],
    ['is settled although our own transaction reverted', REVERTED, USED, NOON, settled, settlesIn('0xdef')],
    ['is over when it was taken back', REFUSED, { kind: 'void' }, NOON, rejected, REJECTS],
    ['is over when it was not used and has run out', UNKNOWN, unusedAt(OVER), OVER, rejected, REJECTS],
    [
      'stays open when the chain is asked through a node that fell behind',
      REFUSED,
      unusedAt(ENDING),
      OVER,
      open,
      null,
    ],
    ['stays open when it may still be used', REFUSED, unusedAt(ENDING), ENDING, open, null],
    ['stays open when there is no chain to ask', REFUSED, { kind: 'unavailable' }, OVER, open, null],
    ['stays open when it reverted and there is none', REVERTED, { kind: 'unavailable' }, OVER, open, null],
  ])('%s', async (_, settlement, use, now, counts, line) => {
    const { reconcile, clock, written, faults } = world({
      settle: async () => settlement,
      useOf: async () => use,
    });
    clock.now = now;
    expect(await reconcile()).toEqual(counts);
    // What failed on the chain would fail again, at our expense.
    const ends = settlement === REVERTED ? [ENDS] : [];
    expect([written, faults]).toEqual([line === null ? ends : [...ends, line], []]);
  });

  it('is asked for again with what was signed, whatever things cost by now', async () => {
    const { reconcile, asked } = world({ open: [anOpen({}, { value: 7n })] });
    expect([await reconcile(), asked]).toEqual([settled, [{ amount: 7n, payTo: SELLER }]]);
  });

  it.each([
    ['asked for once the request at work on it can no longer refuse it', true, [LEAVES, settlesIn('0xabc')]],
    ['left alone when that request has refused it by now', false, [LEAVES]],
  ])('is %s', async (_, isOpen, lines) => {
    const { reconcile, written, asked } = world({ open: [anOpen({ state: 'settling' })], isOpen });
    await reconcile();
    expect([written, asked.length]).toEqual([lines, isOpen ? 1 : 0]);
  });

  it('counts as open when another attempt has it by now', async () => {
    const isVoid: Partial<Told> = { settle: async () => REFUSED, useOf: async () => ({ kind: 'void' }) };
    expect(await world({ ...isVoid, rejects: false }).reconcile()).toEqual(open);
  });
});

describe('a round of the reconciler', () => {
  const many = (count: number) => Array.from({ length: count }, (_, n) => anOpen({}, { n: n + 1 }));

  it('looks at all of those from before now, a hundred at a time', async () => {
    const { reconcile, opened } = world({ open: many(250) });
    expect(await reconcile()).toEqual({ settled: 250, rejected: 0, open: 0 });
    expect(opened.map(([, limit]) => limit)).toEqual([100, 100, 100, 100]);
  });

  it('gets to the last ones although nobody can tell about the first 2,100', async () => {
    const hopeless = new Set(many(2_100).map(({ payment }) => payment));
    const settle = async (payment: Payment) => (hopeless.has(keepPayment(payment)) ? UNKNOWN : SETTLED);
    const { reconcile } = world({ open: many(2_105), settle });
    expect(await reconcile()).toEqual({ settled: 5, rejected: 0, open: 2_100 });
  });

  it('begins no more of them once it is to stop', async () => {
    const { reconcile, ports } = world({ open: many(50) });
    let asked = 0;
    const stopping = { ...ports, isStopped: () => ++asked > 3 };
    expect(await reconcilePayments(stopping, 0)).toEqual({ settled: 8, rejected: 0, open: 0 });
    expect(await reconcile()).toMatchObject({ settled: 50 });
  });

  it.each<[string, number, object]>([
    ['a clock a little ahead is left to whoever is at work on it', 60_000 + 299_999, open],
    ['a clock that was hours ahead is looked at', 60_000 + 300_001, settled],
  ])('one that was written by %s', async (_, aheadMs, counts) => {
    const { reconcile } = world({ open: [anOpen({ state: 'settling', since: afterNoon(aheadMs) })] });
    expect(await reconcile(45_000)).toEqual(counts);
  });

  it.each<[string, OpenSettlement['state'], number, object]>([
    ['is left to whoever is at work on it', 'settling', 60_001, open],
    ['is looked at when the time is up', 'settling', 60_000, settled],
    ['is looked at when nobody is at work on it any more', 'unknown', 60_001, settled],
  ])('one that is a minute old %s', async (_, state, graceMs, counts) => {
    const { reconcile, asked } = world({ open: [anOpen({ state })] });
    expect(await reconcile(graceMs)).toEqual(counts);
    expect(asked).toHaveLength(counts === open ? 0 : 1);
  });

  it('asks for four at a time', async () => {
    const busy = { now: 0, most: 0 };
    const settle = async () => {
      busy.now += 1;
      busy.most = Math.max(busy.most, busy.now);
      for (let turn = 0; turn < 5; turn += 1) await null;
      busy.now -= 1;
      return SETTLED;
    };
    const { reconcile } = world({ open: many(9), settle });
    expect(await reconcile()).toEqual({ settled: 9, rejected: 0, open: 0 });
    expect(busy.most).toBe(4);
  });

  it('goes on when one of them breaks, and tells of it', async () => {
    const settle = async ({ authorization: { nonce } }: Payment) => {
      if (nonce.endsWith('2')) throw new Error('our own fault');
      return SETTLED;
    };
    const { reconcile, faults, written } = world({ open: many(3), settle });
    expect(await reconcile()).toEqual({ settled: 2, rejected: 0, open: 1 });
    expect([faults, written.length]).toEqual([[new Error('our own fault')], 2]);
  });

  it('asks nobody about a payment that it cannot read', async () => {
    const { reconcile, faults, asked, written } = world({ open: [anOpen({ payment: '{}' })] });
    expect(await reconcile()).toEqual(open);
    expect([asked, written, faults]).toEqual([[], [], ['payment 1 cannot be read']]);
  });

  it('goes on behind a hundred rows that no store can read', async () => {
    const bad = Array.from({ length: 100 }, (_, n) => ({ key: `bad ${n}`, since: NOON }));
    const unreadable = bad.map((one) => ({ ...one, state: 'unreadable' as const }));
    const { reconcile, faults } = world({ open: [...unreadable, anOpen()] });
    expect(await reconcile()).toEqual({ settled: 1, rejected: 0, open: 100 });
    expect(faults).toHaveLength(100);
  });

  it('has nothing to do when nothing is open', async () => {
    const { reconcile, asked } = world({ open: [] });
    expect([await reconcile(), asked]).toEqual([{ settled: 0, rejected: 0, open: 0 }, []]);
  });
});
