/** The local chain and its facilitator in a process of their own, so that the service's time is the service's. */
import { startLocalChain } from '../../dist/sandbox/chain/local-chain.js';
import { startFacilitatorServer } from '../../dist/sandbox/facilitator-server.js';

const { rpcUrl, accounts } = await startLocalChain();
const facilitator = await startFacilitatorServer({ rpcUrl, gasKey: accounts.gas.key });
process.send({ rpcUrl, facilitatorUrl: facilitator.url });
process.once('disconnect', () => process.exit());
