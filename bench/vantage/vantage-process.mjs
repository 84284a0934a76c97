/**
 * A vantage in a process of its own. Only the outermost edge differs from `assay vantage`: every name resolves to one public
 * address, and every connection to it ends at the seller on loopback.
 */
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { ed25519Signer } from '../../dist/adapters/log/ed25519-signer.js';
import { noteKeyText } from '../../dist/core/log/note.js';
import { publicWeb } from '../../dist/core/url/gate.js';
import { publicAddresses } from '../../dist/core/url/public-address.js';
import { parseClients } from '../../dist/core/vantage/vantage-files.js';
import { createVantage } from '../../dist/flows/vantage/create-vantage.js';
import { createOutbound } from '../../dist/main/build/outbound.js';
import { SYSTEM } from '../../dist/main/build/system.js';
import { listenOn } from '../../dist/main/serve/listen.js';
import { createVantageServer } from '../../dist/main/vantage/vantage-server.js';

const SELLER_PORT = Number(process.env.BENCH_SELLER_PORT);

async function start() {
  const signer = ed25519Signer(process.env.BENCH_NAME, SYSTEM.entropy(32));
  const { prober } = createOutbound({
    policy: publicWeb({ addresses: publicAddresses([]), ownHosts: new Set() }),
    resolve: async (name) => ({ kind: 'addresses', addresses: [ownAddress(name)] }),
    dial: async () => {
      const socket = connect({ host: '127.0.0.1', port: SELLER_PORT });
      await once(socket, 'connect');
      return socket;
    },
    userAgent: 'bench',
  });
  const { clients } = parseClients(process.env.BENCH_CLIENTS);
  const vantage = createVantage({ ...SYSTEM, signer, clients, prober });
  const onFault = (fault) => console.error(fault);
  const server = createVantageServer({ ...SYSTEM, vantage, about: 'bench', onFault });
  const url = await listenOn(server, '127.0.0.1', 0);
  return { url, key: noteKeyText(signer.key) };
}

process.send(await start());
process.once('disconnect', () => process.exit());

/** A public address for each name, as in tools/samples/own-address.ts. */
function ownAddress(name) {
  return `93.${hash('sha256', name, 'buffer').subarray(0, 3).join('.')}`;
}
