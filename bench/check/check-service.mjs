/**
 * The service with the settings of its environment, in a process of its own. Only the outermost edge differs from `assay serve`:
 * every name resolves to one public address, and every connection to it ends at the seller on loopback.
 */
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { createLog } from '../../dist/adapters/system/log.js';
import { publicWeb } from '../../dist/core/url/gate.js';
import { publicAddresses } from '../../dist/core/url/public-address.js';
import { createHttpServer } from '../../dist/http/server.js';
import { buildApp } from '../../dist/main/build/build-app.js';
import { openPayments } from '../../dist/main/build/open-payments.js';
import { openStore } from '../../dist/main/build/open-store.js';
import { createOutbound } from '../../dist/main/build/outbound.js';
import { createRuntime } from '../../dist/main/build/runtime.js';
import { readConfig } from '../../dist/main/config/config.js';
import { listenOn } from '../../dist/main/serve/listen.js';

const SELLER_PORT = Number(process.env.BENCH_SELLER_PORT);

async function start() {
  const reading = readConfig();
  if (reading.kind === 'invalid') throw new Error(reading.problem);
  const config = { ...reading.config, baseUrl: 'http://127.0.0.1:4402' };
  const log = createLog(config.logLevel);
  const payments = await openPayments(config, log);
  const store = await openStore(config);
  const { policy, prober } = createOutbound({
    policy: publicWeb({ addresses: publicAddresses([]), ownHosts: new Set() }),
    resolve: async (name) => ({ kind: 'addresses', addresses: [ownAddress(name)] }),
    dial: async () => {
      const socket = connect({ host: '127.0.0.1', port: SELLER_PORT });
      await once(socket, 'connect');
      return socket;
    },
    userAgent: 'bench',
  });
  const runtime = createRuntime(config, { store, payments, log, metrics: null });
  const app = buildApp(config, { ...runtime, policy, prober });
  const address = await listenOn(createHttpServer(app), '127.0.0.1', 0);
  return Number(new URL(address).port);
}

process.send(await start());
process.once('disconnect', () => process.exit());

/** A public address for each name, as in tools/samples/own-address.ts. */
function ownAddress(name) {
  return `93.${hash('sha256', name, 'buffer').subarray(0, 3).join('.')}`;
}
