import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../../tools/free-port.ts';
import type { Place, Replica } from '../world/replicas.ts';

/** What an operator has in front of the replicas: whoever is not ready gets nothing new, and nothing is sent twice. */
export interface Proxy extends Place {
  /** From now on these are asked, as far as they are ready. */
  use(replicas: readonly Replica[]): void;
  untilServing(replica: Replica): Promise<void>;
  /** Answers by each replica. */
  readonly counts: ReadonlyMap<string, number>;
  stop(): Promise<void>;
}

const LOOK_EVERY_MS = 250;
const LOOK_MS = 5_000;

export async function startProxy(): Promise<Proxy> {
  const port = await freePort();
  const agent = new Agent({ keepAlive: true });
  const counts = new Map<string, number>();
  const state: { all: readonly Replica[]; ready: readonly Replica[]; turn: number; isOver: boolean } = {
    all: [],
    ready: [],
    turn: 0,
    isOver: false,
  };
  const look = async () => {
    const seen = await Promise.all(state.all.map(async (one) => ((await isReady(one)) ? [one] : [])));
    state.ready = seen.flat();
  };
  const looking = (async () => {
    while (!state.isOver) {
      await look();
      await wait(LOOK_EVERY_MS);
    }
  })();
  const server = createServer((incoming, outgoing) => {
    state.turn += 1;
    const replica = state.ready[state.turn % state.ready.length];
    if (replica === undefined) {
      outgoing.writeHead(502).end();
      return;
    }
    counts.set(replica.name, (counts.get(replica.name) ?? 0) + 1);
    pass(replica.address, agent, incoming, outgoing);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    name: 'the proxy',
    address: `http://127.0.0.1:${port}`,
    lives: () => 1,
    aheadMs: () => 0,
    use(replicas) {
      state.all = replicas;
    },
    async untilServing(replica) {
      while (!state.ready.includes(replica)) await wait(LOOK_EVERY_MS / 5);
    },
    counts,
    async stop() {
      state.isOver = true;
      await looking;
      server.close();
      server.closeAllConnections();
      agent.destroy();
    },
  };
}

async function isReady({ address }: Replica): Promise<boolean> {
  try {
    const response = await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(LOOK_MS) });
    await response.text();
    return response.status === 200;
  } catch {
    return false;
  }
}

function pass(to: string, agent: Agent, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method, headers, url } = incoming;
  const onward = request(new URL(url ?? '/', to), { method, headers, agent }, (answer) => {
    const { connection: _, 'keep-alive': __, ...fields } = answer.headers;
    outgoing.writeHead(answer.statusCode ?? 502, fields);
    answer.on('error', () => outgoing.destroy());
    answer.pipe(outgoing);
  });
  onward.on('error', () => outgoing.destroy());
  incoming.pipe(onward);
}
