import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { type IdleClients, startIdleClients } from '../../lab/world/idle-clients.ts';

/** A place that counts who is there and what each of them has said. */
async function openPlace(onConnection: (socket: Socket) => void = () => {}) {
  const said = new Map<Socket, string>();
  const server = createServer((socket) => {
    said.set(socket, '');
    socket.on('error', () => {});
    socket.on('close', () => said.delete(socket));
    socket.on('data', (text) => {
      said.set(socket, String(text));
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
    });
    onConnection(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('it listens nowhere');
  return { server, said, port: address.port };
}

const running: { servers: Server[]; clients: IdleClients[] } = { servers: [], clients: [] };

afterEach(() => {
  for (const clients of running.clients.splice(0)) clients.kill();
  for (const server of running.servers.splice(0)) server.close();
});

async function holdAt(places: readonly { server: Server; port: number }[], share: number) {
  const clients = await startIdleClients(places.map(({ port }) => ({ port, share })));
  running.clients.push(clients);
  running.servers.push(...places.map(({ server }) => server));
  return clients;
}

const heldBy = (clients: IdleClients) => expect.poll(() => clients.held());

describe('clients that hold connections', () => {
  it('are as many at each place as they should be; a quarter of them says nothing', async () => {
    const places = [await openPlace(), await openPlace()];
    const clients = await holdAt(places, 40);
    await heldBy(clients).toEqual([40, 40]);
    for (const { said } of places) {
      const words = [...said.values()];
      expect(words.filter((text) => text === '')).toHaveLength(10);
      expect(words.filter((text) => text.startsWith('GET /healthz HTTP/1.1\r\n'))).toHaveLength(30);
    }
  });

  it('come again, of the same kind, when they are let go', async () => {
    const place = await openPlace();
    const clients = await holdAt([place], 40);
    await heldBy(clients).toEqual([40]);
    const silent = [...place.said].filter(([, text]) => text === '').map(([socket]) => socket);
    const gone = silent.map((socket) => once(socket, 'close'));
    for (const socket of silent) socket.destroy();
    await Promise.all(gone);
    await expect.poll(() => [...place.said.values()].filter((text) => text === '').length).toBe(10);
    await heldBy(clients).toEqual([40]);
    expect((await clients.release()).opened).toBe(50);
    await expect.poll(() => place.said.size).toBe(0);
  });

  it('do not storm a place that takes nobody in', async () => {
    let tried = 0;
    const place = await openPlace((socket) => {
      tried += 1;
      socket.destroy();
    });
    const clients = await holdAt([place], 1_000);
    await expect.poll(() => tried).toBeGreaterThan(50);
    // Those that were on their way when the first was sent home.
    await wait(500);
    const [before, from] = [tried, performance.now()];
    await wait(500);
    // One every 25 ms, and not one every 10 ms.
    expect(tried - before).toBeLessThan((performance.now() - from) / 10);
    expect((await clients.held())[0]).toBeLessThan(5);
  });
});
