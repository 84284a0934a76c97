import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Journal } from './journal.ts';

/** Clients that take what a service has and give nothing back. */
export const SLOW_KINDS = ['slow headers', 'slow bodies', 'never reading'] as const;
export type SlowKind = (typeof SLOW_KINDS)[number];

export interface SlowClients {
  readonly address: string;
  readonly kind: SlowKind;
  readonly count: number;
  readonly journal: Journal;
}

/**
 * Headers have ten seconds and a request fifteen. An answer that nobody reads has thirty, which Node takes for up to twice as
 * long; where the system has taken all of it, the line is kept for 65.
 */
const CUT_AFTER_MS = { 'slow headers': 40_000, 'slow bodies': 40_000, 'never reading': 75_000 } as const;
const GRACE_MS = 15_000;
const BYTE_EVERY_MS = 500;
const OPEN_AT_ONCE = 100;

/** Opens them, and waits until the service has let all of them go, or should have. */
export async function bother({ address, kind, count, journal }: SlowClients): Promise<void> {
  const { hostname, port } = new URL(address);
  const sockets: Socket[] = [];
  for (let open = 0; open < count; open += OPEN_AT_ONCE) {
    const some = Array.from({ length: Math.min(OPEN_AT_ONCE, count - open) }, () =>
      connect({ host: hostname, port: Number(port) }),
    );
    await Promise.all(some.map((socket) => opened(socket)));
    sockets.push(...some.filter((socket) => !socket.destroyed));
  }
  const cut = new Set<Socket>();
  const closing = sockets.map(async (socket) => {
    // A reset is an end, too.
    if (!socket.closed) await once(socket, 'close').catch(() => {});
    cut.add(socket);
  });
  const state = { isOver: false };
  const talking = Promise.all(sockets.map((socket) => talk(socket, kind, () => state.isOver)));
  await Promise.race([Promise.all(closing), wait(CUT_AFTER_MS[kind])]);
  state.isOver = true;
  // A side that never reads hears of the end only when it does.
  for (const socket of sockets) socket.resume();
  await Promise.race([Promise.all(closing), wait(GRACE_MS)]);
  journal.slow.push({ kind, opened: sockets.length, cut: cut.size });
  for (const socket of sockets) socket.destroy();
  await talking;
}

async function opened(socket: Socket): Promise<void> {
  // A service that is just being killed refuses them, and that is all there is to know.
  socket.on('error', () => socket.destroy());
  if (socket.connecting) await Promise.race([once(socket, 'connect'), once(socket, 'close')]).catch(() => {});
}

/** As many as a connection may have; a few megabytes. */
const UNREAD = 30;
const HEAD = 'Host: 127.0.0.1\r\nX-Forwarded-For: 198.18.0.1\r\n';

async function talk(socket: Socket, kind: SlowKind, isOver: () => boolean): Promise<void> {
  if (kind === 'never reading') {
    socket.pause();
    // More answers than the buffers between us hold, and nobody who takes them.
    socket.write(`GET /openapi.json HTTP/1.1\r\n${HEAD}\r\n`.repeat(UNREAD));
    return;
  }
  socket.resume();
  const first =
    kind === 'slow headers'
      ? `GET /v1/tasks HTTP/1.1\r\n${HEAD}X-Slow: `
      : `POST /mcp HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`;
  socket.write(first);
  while (!isOver() && !socket.destroyed) {
    await wait(BYTE_EVERY_MS);
    if (socket.writable) socket.write('a');
  }
}
