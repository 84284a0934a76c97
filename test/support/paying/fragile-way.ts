import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export interface FragileWay {
  readonly url: string;
  die(): void;
  /** As a server that goes down: every connection ends, and new ones are refused until it heals. */
  cut(): void;
  /** Cuts the next connection on which a client says this, before the server hears it or after it has answered. */
  cutOn(word: string, when: 'unheard' | 'answered'): void;
  /** Lets new connections through; those from before stay dead. */
  heal(): void;
  close(): void;
}

/** A way to the server that can go dead, as a network does: nothing arrives any more and nobody is told. */
export async function fragileWay(url: URL): Promise<FragileWay> {
  const open = new Set<Socket>();
  const state: { dead: boolean; refusing: boolean; trap: Trap | null } = {
    dead: false,
    refusing: false,
    trap: null,
  };
  const way = createServer((near) => {
    if (state.refusing) {
      near.resetAndDestroy();
      return;
    }
    const far = connect(Number(url.port || 5432), url.hostname);
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on('error', () => {});
    }
    near.on('data', (said) => {
      const { trap } = state;
      if (trap === null || !said.includes(trap.word)) return;
      state.trap = null;
      const end = () => {
        for (const socket of [near.unpipe(), far]) socket.destroy();
      };
      if (trap.when === 'unheard') return end();
      far.unpipe().once('data', end);
      far.resume();
    });
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
    cut() {
      state.refusing = true;
      for (const socket of open) socket.destroy();
    },
    cutOn(word, when) {
      state.trap = { word, when };
    },
    heal() {
      state.dead = false;
      state.refusing = false;
    },
    close() {
      for (const socket of open) socket.destroy();
      way.close();
    },
  };
}

interface Trap {
  readonly word: string;
  readonly when: 'unheard' | 'answered';
}
