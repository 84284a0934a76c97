import type { Socket } from 'node:net';
import { afterEach } from 'vitest';
import type { ProberParts } from '../../../src/adapters/probe/create-prober.ts';
import type { HostProber } from '../../../src/ports/prober.ts';
import { target } from '../../../tools/samples/listed.ts';
import { type Certificate, httpAnswer, type Script } from '../probing/fake-seller.ts';
import { probing, TERMS } from '../probing/probing.ts';

export const HOST = 'seller.example.net';
export const at = (path: string) => `http://${HOST}${path}`;
const opened: HostProber[] = [];

afterEach(() => {
  for (const prober of opened.splice(0)) prober.close();
});

/** An open host whose seller is told on which connection a request came, and the how-many-eth there. */
export async function visiting(
  script: (socket: Socket, path: string, nth: number) => void,
  changes: Partial<ProberParts> = {},
  cert?: Certificate,
) {
  const connections = new Map<Socket, number>();
  const counting: Script = (socket, request) => {
    const nth = (connections.get(socket) ?? 0) + 1;
    connections.set(socket, nth);
    script(socket, request.split(' ')[1] ?? '', nth);
  };
  const world = await probing(counting, changes, cert);
  const host = world.openHost(HOST);
  opened.push(host);
  return {
    ...world,
    host,
    connections,
    ask: (url: string, method: 'GET' | 'POST' = 'GET') => host.probe({ target: target(url), method }),
    /** What each connection was asked. */
    perConnection: () => [...connections.values()],
  };
}

/** Tells which question it answers. */
export const echoing = (socket: Socket, path: string) => socket.write(httpAnswer(402, [TERMS], `"${path}"`));
export const bodyOf = (outcome: object) =>
  'body' in outcome && outcome.body instanceof Uint8Array ? Buffer.from(outcome.body).toString() : null;

export async function allClosed(sockets: Iterable<Socket>): Promise<boolean> {
  // An iterator gives its values once, and there are many looks.
  const all = [...sockets];
  for (let look = 0; look < 2_000; look += 1) {
    if (all.every(({ destroyed, readableEnded }) => destroyed || readableEnded)) return true;
    await new Promise((done) => setTimeout(done, 5));
  }
  return false;
}
