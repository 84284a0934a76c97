import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';

/** Requests on plain sockets: an HTTP client would cost more than the server it measures. */
export interface Load {
  readonly port: number;
  readonly connections: number;
  readonly ms: number;
  /** The n-th request, whole. */
  request(n: number): string;
}

export interface Measured {
  readonly answers: number;
  readonly statuses: ReadonlyMap<number, number>;
}

export async function runLoad({ port, connections, ms, request }: Load): Promise<Measured> {
  const statuses = new Map<number, number>();
  const state = { next: 0, answers: 0, until: performance.now() + ms };
  const lane = async () => {
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
      ask();
    });
    ask();
    await done;
  };
  await Promise.all(Array.from({ length: connections }, lane));
  return { answers: state.answers, statuses };
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
