import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { createGateway } from '../../../src/guard/gateway/gateway-server.ts';
import type { GuardedFetch } from '../../../src/guard/guarded-fetch.ts';

export interface RunningGateway {
  readonly address: string;
  readonly port: number;
  /** A fetch over the gateway, as a program in any language would use it. */
  readonly fetch: typeof globalThis.fetch;
}

/** A gateway for one test, on a free port of loopback. */
export async function startGateway(fetch: GuardedFetch): Promise<RunningGateway> {
  const server = createGateway(fetch);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  // A server on a port has an address with a port.
  const { port } = server.address() as AddressInfo;
  const address = `http://127.0.0.1:${port}`;
  return {
    address,
    port,
    fetch(input, init) {
      const request = new Request(input, init);
      return globalThis.fetch(new Request(`${address}/${request.url}`, request));
    },
  };
}
