import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';

/** Requests on plain sockets: an HTTP client would cost more than the server it measures. */
export interface Load {
  readonly port: number;
  readonly connections: number;
  readonly ms: number;
  /** How long a connection waits before it asks again, on average; not at all when it is left out. */
  readonly pauseMs?: number;
  /** The n-th request, whole. */
  request(n: number): string;
}

export interface Measured {
  readonly answers: number;
  readonly statuses: ReadonlyMap<number, number>;
}

export async function runLoad({ port, connections, ms, pauseMs = 0, request }: Load): Promise<Measured> {
  const statuses = new Map<number, number>();
  const state = { next: 0, answers: 0, until: performance.now() + ms };
  const worker = async () => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    await once(socket, 'connect');
    const done = once(socket, 'close');
    let have: Buffer = Buffer.alloc(0);
    const ask = () => {
      if (performance.now() >= state.until) socket.destroy();
      else socket.write(request(state.next++));
    };
    socket.on('data', (chunk) => {
      have = have.length === 0 ? chunk : Buffer.concat([have, chunk]);
      const answer = wholeAnswer(have);
      if (answer === null) return;
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      state.answers += 1;
      have = Buffer.alloc(0);
      if (pauseMs === 0) ask();
      // Not all at once: equal timers would run together, and what waits together is served together.
      else setTimeout(ask, pauseMs * (0.5 + Math.random()));
    });
    ask();
    await done;
  };
  await Promise.all(Array.from({ length: connections }, worker));
  return { answers: state.answers, statuses };
}

/** One connection on which requests go one after another. */
export interface Connection {
  ask(request: string): Promise<number>;
  close(): void;
}

/** For rounds that must begin at one moment; `ask` answers the status. */
export async function openConnection(port: number): Promise<Connection> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        let have: Buffer = Buffer.alloc(0);
        const closed = () => reject(new Error('the connection was closed in the middle of an answer'));
        const hear = (chunk: Buffer) => {
          have = have.length === 0 ? chunk : Buffer.concat([have, chunk]);
          const answer = wholeAnswer(have);
          if (answer === null) return;
          socket.off('data', hear);
          socket.off('close', closed);
          resolve(answer.status);
        };
        socket.on('data', hear);
        socket.once('close', closed);
        socket.write(request);
      }),
    close: () => socket.destroy(),
  };
}

const END = Buffer.from('\r\n\r\n');
const LAST_CHUNK = Buffer.from('\r\n0\r\n\r\n');

function wholeAnswer(bytes: Buffer): { readonly status: number } | null {
  const end = bytes.indexOf(END);
  if (end === -1) return null;
  const head = bytes.toString('latin1', 0, end);
  if (/\r\ntransfer-encoding: chunked/i.test(head)) {
    return bytes.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK)
      ? { status: Number(head.slice(9, 12)) }
      : null;
  }
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
  return bytes.length < end + 4 + length ? null : { status: Number(head.slice(9, 12)) };
}

const TICKS_PER_SECOND = 100;

/** User and system time of a process so far, in microseconds. */
export function cpuMicros(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return ((Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND) * 1e6;
}

/** The same of a process and all that came from it, also of those that have ended. */
export function cpuMicrosOfFamily(pid: number): number {
  const stats = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => statOf(Number(name)));
  const all = new Set([pid]);
  // Children have later numbers than their parents only until the numbers begin anew, hence as often as something is found.
  for (let before = 0; before !== all.size; ) {
    before = all.size;
    for (const { pid: one, parent } of stats) if (all.has(parent)) all.add(one);
  }
  const ended = stats.find((stat) => stat.pid === pid)?.endedTicks ?? 0;
  const ticks = stats.filter((stat) => all.has(stat.pid)).reduce((sum, stat) => sum + stat.ticks, ended);
  return (ticks / TICKS_PER_SECOND) * 1e6;
}

/** The processes that this one has started and that still run, by their name. */
export function childrenNamed(name: string): readonly number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((entry) => statOf(Number(entry)))
    .filter((stat) => stat.parent === process.pid && stat.name === name)
    .map((stat) => stat.pid);
}

function statOf(pid: number) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const end = text.lastIndexOf(') ');
    const fields = text.slice(end + 2).split(' ');
    const number = (at: number) => Number(fields[at]);
    const name = text.slice(text.indexOf('(') + 1, end);
    return [
      { pid, name, parent: number(1), ticks: number(11) + number(12), endedTicks: number(13) + number(14) },
    ];
  } catch {
    // It ended while we were looking.
    return [];
  }
}
