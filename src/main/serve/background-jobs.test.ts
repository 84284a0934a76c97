import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PAYER, unsigned } from '../../../test/support/paying/charging-payments.ts';
import { intervalPause } from '../../../test/support/running/interval-pause.ts';
import { newSqlitePlace, type Place } from '../../../test/support/storing/stores.ts';
import { afterNoon, NOON } from '../../../tools/samples/store-receipts.ts';
import type { Store } from '../../adapters/store/store.ts';
import { keepPayment } from '../../core/x402/payment-payload.ts';
import type { LogState } from '../../flows/log/log-state.ts';
import type { Settlement } from '../../ports/facilitator.ts';
import type { OpenSettlement, UnreadableSettlement } from '../../ports/payment-ledger.ts';
import type { Runtime } from '../build/build-app.ts';
import { startBackgroundJobs } from './background-jobs.ts';
import type { BackgroundJob } from './start-rounds.ts';

const SETTLED: Settlement = { kind: 'settled', tx: `0x${'ab'.repeat(32)}`, payer: PAYER };
const RECONCILED = [{ settled: 1, rejected: 0, open: 0 }, 'payments reconciled'];

/** A settlement that was asked for at this moment, by the n-th payment. */
function settling(n: number, since: Date): OpenSettlement {
  return {
    key: `payment ${n}`,
    holder: 'attempt',
    state: 'settling',
    prepared: { operation: 'lookup', body: '{"n":1', receipt: null },
    payment: keepPayment(unsigned({ n })),
    since,
  };
}

/** A real store with these settlements in place of its own, and whatever the jobs do and log. */
async function world(...found: OpenSettlement[]) {
  const real = await place.open();
  const open = new Map(found.map((one) => [one.key, one]));
  const [asked, heard, pruned]: [string[], unknown[], string[]] = [[], [], []];
  const unreadable: UnreadableSettlement[] = [];
  const told = {
    settle: async (): Promise<Settlement> => SETTLED,
    isDown: false,
    clock: () => new Date(),
    logState: (): LogState => 'ok',
  };
  const payments: Store['payments'] = {
    ...real.payments,
    async open(_before, _limit, after) {
      if (after !== undefined) return [];
      if (told.isDown) throw new Error('the store is down');
      return [...unreadable, ...open.values()];
    },
    async settle({ key }, answer) {
      open.delete(key);
      return answer;
    },
    async leaveOpen({ key }) {
      const one = open.get(key);
      if (one !== undefined) open.set(key, { ...one, state: 'unknown' });
      return one !== undefined;
    },
  };
  const quotes: Store['quotes'] = {
    ...real.quotes,
    async prune(before) {
      pruned.push(before.toISOString());
      return 0;
    },
  };
  const facilitator: Runtime['facilitator'] = {
    verify: async () => ({ kind: 'unavailable' }),
    settle({ authorization: { nonce } }) {
      asked.push(`payment ${Number(nonce)}`);
      return told.settle();
    },
  };
  const authorizationLog: Runtime['authorizationLog'] = { useOf: async () => ({ kind: 'unavailable' }) };
  const note = (...line: unknown[]) => heard.push(line);
  const start = () => {
    const now = () => new Date();
    const health = { ...real.health, clock: async () => told.clock() };
    const store = { ...real, payments, quotes, health };
    const log = { info: note, error: note };
    const job = startBackgroundJobs({
      watch: async () => null,
      logKeeper: {
        round: async () => {},
        stop: async () => {},
        promise: () => null,
        state: () => told.logState(),
      },
      store,
      facilitator,
      authorizationLog,
      now,
      onFault: note,
      log,
      pause: intervalPause,
    });
    jobs.push(job);
    return job;
  };
  return { open, unreadable, asked, heard, pruned, told, start };
}

let place: Place;
const jobs: BackgroundJob[] = [];
const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1_000);

describe('background jobs', () => {
  beforeEach(async () => {
    // Only the timers of `pause` are fake: the store has timers of its own.
    vi.useFakeTimers({ now: NOON, toFake: ['Date', 'setInterval', 'clearInterval'] });
    place = await newSqlitePlace();
  });
  afterEach(async () => {
    await Promise.all(jobs.splice(0).map((job) => job.stop()));
    vi.useRealTimers();
    await place.remove();
  });

  it('begins with what a crash has left, however fresh it is', async () => {
    const { open, heard, start } = await world(settling(1, NOON));
    start();
    await pass(0);
    expect([[...open], heard]).toEqual([[], [RECONCILED]]);
  });

  it('later leaves 45 seconds to whoever is at work on a payment', async () => {
    const { open, asked, start } = await world();
    start();
    await pass(1);
    open.set('payment 1', settling(1, afterNoon(1_000)));
    await pass(44);
    expect(asked).toEqual([]);
    await pass(5);
    expect([asked, [...open]]).toEqual([['payment 1'], []]);
  });

  it('asks every five seconds about what nobody knows, and says nothing while nothing is found out', async () => {
    const { open, asked, heard, told, start } = await world(settling(1, NOON));
    told.settle = async () => ({ kind: 'unknown' });
    start();
    await pass(20);
    expect([asked.length, heard]).toEqual([5, []]);
    told.settle = async () => SETTLED;
    await pass(5);
    expect([[...open], heard]).toEqual([[], [RECONCILED]]);
  });

  it('never runs twice at the same time, and stops only when its round is over', async () => {
    const { open, asked, told, start } = await world(settling(1, NOON));
    const held = { goOn: () => {} };
    told.settle = () =>
      new Promise((resolve) => {
        held.goOn = () => resolve(SETTLED);
      });
    const job = start();
    await pass(60);
    expect(asked).toEqual(['payment 1']);
    const left = vi.fn();
    const leaving = job.stop().then(left);
    await pass(60);
    expect(left).not.toHaveBeenCalled();
    held.goOn();
    await leaving;
    expect([...open]).toEqual([]);
    open.set('payment 2', settling(2, NOON));
    await pass(120);
    expect(asked).toEqual(['payment 1']);
  });

  it('says once that the log is not continued any more', async () => {
    const { heard, told, start } = await world();
    start();
    await pass(5);
    expect(heard).toEqual([]);
    told.logState = () => 'behind';
    await pass(30);
    expect(heard).toEqual([
      [
        { state: 'behind', fix: expect.stringContaining('assay log epoch') },
        'the transparency log is not continued: see docs/operations.md',
      ],
    ]);
  });

  it('goes on after a round that failed', async () => {
    const { open, heard, told, start } = await world(settling(1, NOON));
    told.isDown = true;
    start();
    await pass(5);
    const said = (faults: number) => [{ fault: 'Error: the store is down', faults }, 'background job'];
    expect(heard).toEqual([said(1), said(2)]);
    // A store that is away for long is not told of every time.
    await pass(30);
    expect(heard).toEqual([1, 2, 4].map(said));
    told.isDown = false;
    await pass(40);
    expect([...open]).toEqual([]);
  });

  it('tells of a payment that it cannot find out about', async () => {
    const { open, heard, told, start } = await world(settling(1, NOON));
    const fault = new Error('our own fault');
    told.settle = () => Promise.reject(fault);
    start();
    await pass(0);
    expect([open.size, heard]).toEqual([1, [['reconciling', fault]]]);
  });

  it('tells once of a payment that cannot be read, and goes on with the others', async () => {
    const { heard, start, unreadable } = await world(settling(1, NOON));
    unreadable.push({ state: 'unreadable', key: 'payment 2', since: NOON });
    start();
    await pass(20);
    const fault = new Error('the payment open since 2026-11-15T12:00:00.000Z cannot be read');
    expect(heard).toEqual([
      ['reconciling', fault],
      [{ settled: 1, rejected: 0, open: 1 }, 'payments reconciled'],
    ]);
  });

  it('forgets what is old after a minute, not at the start, and no more once it is stopped', async () => {
    const { pruned, start } = await world();
    const job = start();
    await pass(60);
    await job.stop();
    await pass(600);
    expect(pruned).toEqual(['2026-11-15T12:00:00.000Z']);
  });

  it.each([
    ['the clock of the store when its own runs ahead', -86_400_000, '2026-11-14T11:59:00.000Z'],
    ['its own clock when that of the store runs ahead', 86_400_000, '2026-11-15T12:00:00.000Z'],
  ])('forgets by %s', async (_, aheadMs, before) => {
    const { pruned, told, start } = await world();
    told.clock = () => afterNoon(aheadMs);
    start();
    await pass(60);
    await expect.poll(() => pruned).toEqual([before]);
  });
});
