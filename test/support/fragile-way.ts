import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export interface FragileWay {
  readonly url: string;
  die(): void;
  /** Lets new connections through; those from before stay dead. */
  heal(): void;
  close(): void;
}

/** A way to the server that can go dead, as a network does: nothing arrives any more and nobody is told. */
export async function fragileWay(url: URL): Promise<FragileWay> {
  const open = new Set<Socket>();
  const state = { dead: false };
  const way = createServer((near) => {
    const far = connect(Number(url.port || 5432), url.hostname);
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on('error', () => {});
    }
    if (!state.dead) near.pipe(far).pipe(near);
  }).listen(0, '127.0.0.1');
  await once(way, 'listening');
  const address = way.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  const through = new URL(url);
  [through.hostname, through.port] = ['127.0.0.1', String(address.port)];
  return {
    url: through.href,
    die() {
      state.dead = true;
      for (const socket of open) socket.unpipe().pause();
    },
    heal() {
      state.dead = false;
    },
    close() {
      for (const socket of open) socket.destroy();
      way.close();
    },
  };
}
