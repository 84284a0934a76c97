import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { connectTo } from '../../../test/support/running/raw-http.ts';
import { trustedProxies } from '../../core/access/caller-address.ts';
import { listenOn, stopListening } from '../../main/serve/listen.ts';
import { limitConnections } from './connection-limit.ts';

const opened: Server[] = [];
const clients: Socket[] = [];
afterEach(async () => {
  for (const socket of clients.splice(0)) socket.destroy();
  await Promise.all(opened.splice(0).map(stopListening));
});

async function serve(trusted: readonly string[]) {
  const server = createServer((_, response) => response.end('served'));
  limitConnections(server, { perAddress: 3, trusts: trustedProxies(trusted).trusts });
  opened.push(server);
  const address = await listenOn(server, '127.0.0.1', 0);
  const open = async (): Promise<Socket> => {
    const socket = await connectTo(address);
    socket.on('error', () => {});
    clients.push(socket);
    return socket;
  };
  return { open };
}

/** What becomes of a connection: an answer, or nothing but its end. */
async function fateOf(socket: Socket): Promise<'served' | 'closed'> {
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  return Promise.race([
    once(socket, 'data').then(() => 'served' as const),
    new Promise<'closed'>((resolve) => socket.once('close', () => resolve('closed'))),
  ]);
}

it('idle connections of one address leave the others theirs: what is over its share is closed (G102)', async () => {
  const { open } = await serve([]);
  const [first] = [await open(), await open(), await open()];
  expect(await fateOf(await open())).toBe('closed');
  expect(await fateOf(first)).toBe('served');
  first.destroy();
  await once(first, 'close');
  await expect.poll(async () => fateOf(await open())).toBe('served');
});

it('a trusted proxy has as many as it wants', async () => {
  const { open } = await serve(['127.0.0.1']);
  for (let n = 0; n < 5; n += 1) await open();
  expect(await fateOf(await open())).toBe('served');
});
