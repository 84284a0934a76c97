import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { startSeller } from '../../../test/support/probing/fake-seller.ts';
import { dialDirectly } from './dial.ts';

const signal = new AbortController().signal;

describe('dialling', () => {
  it('reaches exactly the address it is given', async () => {
    const seller = await startSeller(() => undefined);
    const socket = await dialDirectly({ address: '127.0.0.1', port: seller.port, signal });
    expect(socket.remoteAddress).toBe('127.0.0.1');
    socket.destroy();
    await seller.close();
  });

  it('refuses to go on when the other end is another address', async () => {
    const seller = await startSeller(() => undefined);
    // On Linux the unspecified address leads to loopback: asked for one, connected to another.
    await expect(dialDirectly({ address: '0.0.0.0', port: seller.port, signal })).rejects.toThrow(
      'another address',
    );
    await seller.close();
  });

  it('fails when nobody listens', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    server.close();
    await expect(dialDirectly({ address: '127.0.0.1', port, signal })).rejects.toThrow('ECONNREFUSED');
  });
});
