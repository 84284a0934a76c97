import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { createHostProber } from '../../src/adapters/probe/create-host-prober.ts';
import { createProber, type ProberParts } from '../../src/adapters/probe/create-prober.ts';
import { publicWeb } from '../../src/core/url/gate.ts';
import { publicAddresses } from '../../src/core/url/public-address.ts';
import { parseTargetUrl, type TargetUrl } from '../../src/core/url/target-url.ts';
import type { OpenHost, Prober } from '../../src/ports/prober.ts';
import { ownAddress } from '../../tools/samples/own-address.ts';
import { typicalAnswer } from '../../tools/samples/typical-answer.ts';

export interface LoopbackSeller {
  readonly port: number;
  readonly prober: Prober;
  readonly openHost: OpenHost;
  readonly target: TargetUrl;
  close(): void;
}

/** A seller on loopback that asks for a typical payment, and the real prober whose dials all end there. */
export async function startLoopbackSeller(): Promise<LoopbackSeller> {
  const { header } = typicalAnswer(3_072);
  const server = createServer((_request, response) => {
    response.writeHead(402, { 'payment-required': header, 'content-type': 'application/json' }).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const parts: ProberParts = {
    resolve: async (name) => ({ kind: 'addresses', addresses: [ownAddress(name)] }),
    dial: async () => {
      const socket = connect({ host: '127.0.0.1', port });
      await once(socket, 'connect');
      return socket;
    },
    policy: publicWeb({ addresses: publicAddresses([]), ownHosts: new Set() }),
    userAgent: 'bench',
    timeoutMs: 5_000,
  };
  const reading = parseTargetUrl('http://seller.example.net/data');
  if (reading.kind === 'invalid') throw new Error('the target of the benchmark should be a URL');
  const close = () => void server.close();
  return {
    port,
    prober: createProber(parts),
    openHost: createHostProber(parts),
    target: reading.target,
    close,
  };
}
