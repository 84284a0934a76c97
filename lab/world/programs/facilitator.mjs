/** A facilitator in a process of its own, so that it can be killed in the middle of a settlement. */
import { startFacilitatorServer } from '../../../dist/sandbox/facilitator-server.js';
import { hearCalls } from './hear-calls.mjs';

hearCalls({
  start: async ({ rpcUrl, gasKey, port }) => (await startFacilitatorServer({ rpcUrl, gasKey, port })).url,
});
