import { createBuiltInFacilitator } from '../../../src/adapters/facilitator/built-in-facilitator.ts';
import { createHttpFacilitator } from '../../../src/adapters/facilitator/http-facilitator.ts';
import { createEvm, startLocalChain } from '../../../src/sandbox/chain/local-chain.ts';
import { startFacilitatorServer } from '../../../src/sandbox/facilitator-server.ts';
import { describeFacilitator } from './describe-facilitator.ts';

const evm = await createEvm();
/** Nobody listens on the discard port. */
const NOBODY = 'http://127.0.0.1:9';
/** Forty settlements at once take long on a busy machine. */
const PATIENT = { timeoutMs: 60_000, settleMs: 60_000 };

describeFacilitator('the built-in facilitator', async (options) => {
  const chain = await startLocalChain({ evm, ...options });
  const gasKey = chain.accounts.gas.key;
  return {
    chain,
    facilitator: createBuiltInFacilitator({
      rpcUrl: chain.rpcUrl,
      gasKey,
      contractPayers: 'allow',
      ...PATIENT,
    }),
    deserted: createBuiltInFacilitator({ rpcUrl: NOBODY, gasKey }),
    stop: chain.stop,
  };
});

describeFacilitator('a facilitator over HTTP', async (options) => {
  const chain = await startLocalChain({ evm, ...options });
  const server = await startFacilitatorServer({ rpcUrl: chain.rpcUrl, gasKey: chain.accounts.gas.key });
  return {
    chain,
    facilitator: createHttpFacilitator({ url: server.url, timeoutMs: PATIENT.timeoutMs }),
    deserted: createHttpFacilitator({ url: NOBODY }),
    async stop() {
      await server.stop();
      await chain.stop();
    },
  };
});
