import type { AllowanceReport } from './allowances.ts';
import { openConnection } from './connection.ts';
import type { Histogram } from './histogram.ts';
import { createJournal, type JournalReport } from './journal.ts';
import { createMix } from './mix.ts';
import { signAhead } from './signed-payments.ts';
import { createTraffic, type Measured } from './traffic.ts';

/** The clients, in a process of their own: `lab/load/clients.ts` is the other side. */
export interface Setup {
  readonly ports: readonly number[];
  readonly buyerKeys: readonly `0x${string}`[];
  readonly payTo: `0x${string}`;
  readonly tasks: readonly string[];
  readonly sellers: readonly string[];
  readonly etag: string;
  readonly seed: number;
}

export type Order =
  | { readonly kind: 'setup'; readonly setup: Setup }
  | { readonly kind: 'closed'; readonly ms: number; readonly connections: number }
  | { readonly kind: 'open'; readonly ms: number; readonly perSecond: number }
  /** Asks for what was not asked for yet, and tells what it knows. */
  | { readonly kind: 'finish' };

export interface Times {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** A phase in numbers; times in microseconds. */
export interface PhaseReport {
  readonly seconds: number;
  readonly rows: Readonly<Record<string, Times>>;
  readonly all: Times;
  /** All but purchases, which wait for machines of others. */
  readonly own: Times;
  readonly late: Times;
  readonly statuses: Readonly<Record<string, number>>;
  readonly dropped: number;
  readonly cpuSeconds: number;
}

export interface FinalReport {
  readonly journal: JournalReport;
  readonly allowances: Readonly<Record<string, AllowanceReport>>;
}

const PRICES = [10_000n, 20_000n];

async function serve(setup: Setup): Promise<void> {
  const journal = createJournal();
  const random = randomFrom(setup.seed);
  const payments = signAhead(setup, PRICES);
  const mix = createMix({ ...setup, journal, payments, random });
  const traffic = createTraffic({ ports: setup.ports, mix, journal, random });
  await payments.filled();
  tell({ kind: 'ready' });
  // Only clients.ts talks here.
  process.on('message', async (order: Order) => {
    if (order.kind === 'finish') {
      await readTheRest(setup.ports, journal);
      traffic.close();
      await payments.close();
      tell({ journal: journal.report(), allowances: mix.allowances() } satisfies FinalReport);
      process.disconnect();
      return;
    }
    if (order.kind === 'setup') return;
    const before = process.cpuUsage();
    const measured = order.kind === 'closed' ? await traffic.closed(order) : await traffic.open(order);
    const { user, system } = process.cpuUsage(before);
    tell(phaseReport(measured, (user + system) / 1e6));
  });
}

/** Every receipt that was acknowledged must be there, on whichever replica it is asked for. */
async function readTheRest(
  ports: readonly number[],
  journal: ReturnType<typeof createJournal>,
): Promise<void> {
  const connections = ports.map(openConnection);
  for (let n = 0; ; n += 1) {
    const receipt = journal.takeReceipt();
    if (receipt === null || !receipt.isNew) break;
    const text = `GET /v1/receipts/${receipt.id} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`;
    const status = await new Promise<number>((done) =>
      connections[n % connections.length]?.ask(text, false, (answer) => done(answer?.status ?? 0)),
    );
    journal.receiptRead(receipt, status === 200);
  }
  for (const connection of connections) connection.close();
}

function phaseReport(measured: Measured, cpuSeconds: number): PhaseReport {
  const { seconds, rows, all, own, late, statuses, dropped } = measured;
  return {
    seconds,
    rows: Object.fromEntries([...rows].map(([name, histogram]) => [name, timesOf(histogram)])),
    all: timesOf(all),
    own: timesOf(own),
    late: timesOf(late),
    statuses: Object.fromEntries(statuses),
    dropped,
    cpuSeconds,
  };
}

function timesOf(histogram: Histogram): Times {
  return {
    count: histogram.count(),
    p50: histogram.quantile(0.5),
    p99: histogram.quantile(0.99),
    max: histogram.max(),
  };
}

/** The same numbers for the same seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function tell(message: object): void {
  process.send?.(message);
}

// Only clients.ts talks here, and a set-up comes first.
process.once('message', (order: Order) => {
  if (order.kind === 'setup') void serve(order.setup);
});
