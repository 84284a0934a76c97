import { type Connection, openConnection } from './connection.ts';
import { createHistogram, type Histogram } from './histogram.ts';
import type { Journal } from './journal.ts';
import type { Mix } from './mix.ts';
import type { Prepared } from './operation.ts';

/** What came of one phase. */
export interface Measured {
  /** By operation and outcome. */
  readonly rows: ReadonlyMap<string, Histogram>;
  readonly all: Histogram;
  /** All but purchases. */
  readonly own: Histogram;
  /** How late requests went out: the generator's own share of the times. */
  readonly late: Histogram;
  readonly statuses: ReadonlyMap<number, number>;
  readonly seconds: number;
  /** That found more waiting than anybody should. */
  readonly dropped: number;
}

export interface Traffic {
  /** So many connections to each port, each with its next request as soon as the last one is answered. */
  closed(options: { readonly ms: number; readonly connections: number }): Promise<Measured>;
  /** So many requests a second, whether earlier ones are answered or not. */
  open(options: { readonly ms: number; readonly perSecond: number }): Promise<Measured>;
  close(): void;
}

export interface TrafficParts {
  readonly ports: readonly number[];
  readonly mix: Mix;
  readonly journal: Journal;
  readonly random: () => number;
}

const CONNECTIONS_MAX = 256;
const WAITING_MAX = 20_000;
const LAST_ANSWERS_MS = 30_000;

interface Due {
  readonly prepared: Prepared;
  readonly atMs: number;
}

/** The connections to one port, and the requests that wait for one of them. */
interface Pool {
  readonly idle: Connection[];
  readonly waiting: Due[];
  readonly port: number;
  opened: number;
}

export function createTraffic(parts: TrafficParts): Traffic {
  const pools: Pool[] = parts.ports.map((port) => ({ idle: [], waiting: [], port, opened: 0 }));
  const all: Connection[] = [];
  const connect = (pool: Pool): Connection => {
    const connection = openConnection(pool.port);
    pool.opened += 1;
    all.push(connection);
    return connection;
  };
  return {
    closed: (options) => runClosed(parts, pools, connect, options),
    open: (options) => runOpen(parts, pools, connect, options),
    close() {
      for (const connection of all) connection.close();
    },
  };
}

type Connect = (pool: Pool) => Connection;

async function runClosed(
  { mix, journal }: TrafficParts,
  pools: readonly Pool[],
  connect: Connect,
  { ms, connections }: { readonly ms: number; readonly connections: number },
): Promise<Measured> {
  const notes = createNotes(journal);
  const start = performance.now();
  const loop = (pool: Pool) =>
    new Promise<void>((done) => {
      const connection = pool.idle.shift() ?? connect(pool);
      const next = () => {
        if (performance.now() - start >= ms) {
          pool.idle.push(connection);
          return done();
        }
        const due = { prepared: mix.next(), atMs: performance.now() };
        connection.ask(due.prepared.text, due.prepared.wantsBody, (answer) => {
          notes.answered(due, answer);
          next();
        });
      };
      next();
    });
  const loops = pools.flatMap((pool) => Array.from({ length: connections }, () => loop(pool)));
  await Promise.all(loops);
  return notes.measured((performance.now() - start) / 1_000);
}

async function runOpen(
  { mix, journal, random }: TrafficParts,
  pools: readonly Pool[],
  connect: Connect,
  { ms, perSecond }: { readonly ms: number; readonly perSecond: number },
): Promise<Measured> {
  const notes = createNotes(journal);
  const start = performance.now();
  const state = { nextAt: start, underWay: 0 };
  const send = (pool: Pool, connection: Connection, due: Due) => {
    notes.sent(due);
    state.underWay += 1;
    connection.ask(due.prepared.text, due.prepared.wantsBody, (answer) => {
      state.underWay -= 1;
      notes.answered(due, answer);
      const waiting = pool.waiting.shift();
      if (waiting === undefined) pool.idle.push(connection);
      else send(pool, connection, waiting);
      // Whoever is due meanwhile need not wait for the timer.
      pump();
    });
  };
  const pump = () => {
    const now = performance.now();
    while (state.nextAt <= now && state.nextAt < start + ms) {
      const pool = pools[Math.floor(random() * pools.length)];
      if (pool === undefined) return;
      const due = { prepared: mix.next(), atMs: state.nextAt };
      // Arrivals of people who know nothing of each other.
      state.nextAt += (-Math.log(1 - random()) * 1_000) / perSecond;
      const connection = pool.idle.shift() ?? (pool.opened < CONNECTIONS_MAX ? connect(pool) : null);
      if (connection !== null) send(pool, connection, due);
      else if (pool.waiting.length < WAITING_MAX) pool.waiting.push(due);
      else notes.dropped();
    }
  };
  while (performance.now() < start + ms) {
    pump();
    await pause(Math.max(1, Math.min(state.nextAt - performance.now(), 50)));
  }
  const seconds = (performance.now() - start) / 1_000;
  const giveUpAt = performance.now() + LAST_ANSWERS_MS;
  while (state.underWay > 0 && performance.now() < giveUpAt) await pause(10);
  for (let n = 0; n < state.underWay; n += 1) journal.unexpected('a request was never answered');
  return notes.measured(seconds);
}

const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

function createNotes(journal: Journal) {
  const rows = new Map<string, Histogram>();
  const statuses = new Map<number, number>();
  const [all, own, late] = [createHistogram(), createHistogram(), createHistogram()];
  const state = { dropped: 0 };
  return {
    sent: ({ atMs }: Due) => late.add((performance.now() - atMs) * 1_000),
    answered({ prepared, atMs }: Due, answer: Parameters<Prepared['answered']>[0]) {
      const micros = (performance.now() - atMs) * 1_000;
      const status = answer?.status ?? 0;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      const row = prepared.answered(answer);
      if (row === null) {
        const said = answer === null ? 'nothing' : `${status}: ${answer.body.slice(-300)}`;
        journal.unexpected(
          `${prepared.operation} answered ${said} (${prepared.text.split('\r\n', 1).join('')})`,
        );
      }
      const name = row ?? `${prepared.operation}, unexpected`;
      const histogram = rows.get(name) ?? createHistogram();
      rows.set(name, histogram);
      histogram.add(micros);
      all.add(micros);
      if (prepared.isPurchase !== true) own.add(micros);
    },
    dropped() {
      state.dropped += 1;
    },
    measured: (seconds: number): Measured => ({
      ...{ rows, all, own, late, statuses, seconds },
      dropped: state.dropped,
    }),
  };
}
