/** The chain, alone in its process. */
import { startLocalChain } from '../../../dist/sandbox/chain/local-chain.js';
import { hearCalls } from './hear-calls.mjs';

const BLOCK_EVERY_MS = 2_000;

async function start() {
  const { accounts, ask, rpcUrl } = await startLocalChain();
  await ask('evm_setIntervalMining', [BLOCK_EVERY_MS]);
  return {
    rpcUrl,
    payTo: accounts.seller.address,
    gasKey: accounts.gas.key,
    buyerKeys: accounts.buyers.map(({ key }) => key),
  };
}

hearCalls({ start });
