import { readFileSync } from 'node:fs';
import { type Hex, hexToBytes, isHex } from 'viem';
import { CHAIN_ID, USDC } from '../../adapters/facilitator/base-chain.ts';
import { isJsonObject, member, parseJson } from '../../core/x402/read-json.ts';
import { serveLoopback } from '../loopback-server.ts';
import { type EvmBinding, type EvmContext, type EvmProvider, loadEvmBinding } from './evm-binding.ts';
import {
  type AskChain,
  CONTRACT_WALLET,
  fundBuyers,
  type SandboxAccounts,
  sandboxAccounts,
} from './funded-accounts.ts';
import { answerJsonRpc } from './json-rpc.ts';

/** A chain of our own that says it is Base: real EVM, real blocks, USDC at its address, and nothing else in common. */
export interface LocalChain {
  readonly rpcUrl: string;
  readonly accounts: SandboxAccounts;
  /** One JSON-RPC call without the network; throws what the chain answers as an error. */
  readonly ask: AskChain;
  stop(): Promise<void>;
}

export interface LocalChainOptions {
  readonly port?: number;
  /** Makes a block as often as this, as Base does every 2 seconds; without it every transaction gets its own at once. */
  readonly blockMs?: number;
  /** To be shared by the chains of one process, which may make only one. */
  readonly evm?: Evm;
}

/** The engine; it complains on standard error when a process makes a second one. */
export interface Evm {
  readonly binding: EvmBinding;
  readonly context: EvmContext;
}

const MULTICALL = '0xcA11bde05977b3631167028862bE2a173976CA11';
const FEE_VAULT = '0x4200000000000000000000000000000000000011';
const ARTIFACTS = new URL('../../../contracts/artifacts/', import.meta.url);
const BLOCK_GAS = 60_000_000n;
const ETHER = 10n ** 18n;

export async function startLocalChain({ port, blockMs, evm }: LocalChainOptions = {}): Promise<LocalChain> {
  const accounts = sandboxAccounts();
  const provider = await createProvider(evm ?? (await createEvm()), accounts);
  const ask: AskChain = (method, params) => askProvider(provider, method, params);
  await fundBuyers(ask, accounts);
  if (blockMs !== undefined) {
    await ask('evm_setAutomine', [false]);
    await ask('evm_setIntervalMining', [blockMs]);
  }
  const server = await serveLoopback({
    port,
    handle: async ({ body }) => ({ kind: 'json', status: 200, body: await answerJsonRpc(provider, body) }),
  });
  return {
    rpcUrl: server.url,
    accounts,
    ask,
    async stop() {
      // A chain that goes on making blocks would keep the process alive.
      await ask('evm_setIntervalMining', [0]);
      await server.stop();
    },
  };
}

export async function createEvm(): Promise<Evm> {
  const binding = loadEvmBinding();
  const context = new binding.EdrContext();
  await context.registerProviderFactory(binding.OP_CHAIN_TYPE, binding.opProviderFactory());
  return { binding, context };
}

function createProvider(
  { binding, context }: Evm,
  { gas, minter, buyers }: SandboxAccounts,
): Promise<EvmProvider> {
  const hardfork = binding.opLatestHardfork();
  const rich = [gas, minter, ...buyers].map(({ address }) => ({
    address: hexToBytes(address),
    balance: 1_000n * ETHER,
  }));
  const config = {
    chainId: BigInt(CHAIN_ID),
    networkId: BigInt(CHAIN_ID),
    hardfork: binding.opHardforkToString(hardfork),
    genesisState: [
      ...binding.opGenesisState(hardfork),
      { address: hexToBytes(USDC), code: codeOf('Usdc3009') },
      { address: hexToBytes(MULTICALL), code: codeOf('Multicall3') },
      { address: hexToBytes(CONTRACT_WALLET), code: codeOf('ContractWallet') },
      ...rich,
    ],
    // Otherwise each block is a second later than the last, and a busy chain runs away from the clock that buyers sign by.
    allowBlocksWithSameTimestamp: true,
    allowUnlimitedContractSize: false,
    bailOnCallFailure: true,
    // A node takes a transaction that will revert; its receipt says so.
    bailOnTransactionFailure: false,
    coinbase: hexToBytes(FEE_VAULT),
    defaultTransactionGasLimit: BLOCK_GAS / 2n,
    initialBaseFeePerGas: 10_000_000n,
    minGasPrice: 0n,
    initialParentBeaconBlockRoot: new Uint8Array(32),
    mining: {
      autoMine: true,
      blockGasLimit: BLOCK_GAS,
      memPool: { order: binding.MineOrdering.Priority },
    },
    network: { genesisBlockGasLimit: BLOCK_GAS, genesisBlobGas: { gasUsed: 0n, excessGas: 0n } },
    observability: {},
    ownedAccounts: [],
    precompileOverrides: [],
  };
  const silent = { enable: false, decodeConsoleLogInputsCallback: () => [], printLineCallback: () => {} };
  return context.createProvider(
    binding.OP_CHAIN_TYPE,
    config,
    silent,
    { subscriptionCallback: () => {} },
    new binding.ContractDecoder(),
  );
}

async function askProvider(
  provider: EvmProvider,
  method: string,
  params: readonly unknown[],
): Promise<unknown> {
  const answer = parseJson(await answerJsonRpc(provider, JSON.stringify({ id: 1, method, params })));
  const error = isJsonObject(answer) ? member(answer, 'error') : 'no answer';
  if (!isJsonObject(answer) || error !== undefined) throw new Error(`${method} failed`, { cause: error });
  return member(answer, 'result');
}

/** The committed code of a contract, as `npm run build:contracts` wrote it. */
function codeOf(contract: string): Uint8Array {
  const artifact = parseJson(readFileSync(new URL(`${contract}.json`, ARTIFACTS), 'utf8'));
  const code = isJsonObject(artifact) ? member(artifact, 'code') : undefined;
  if (!isCode(code)) throw new Error(`contracts/artifacts/${contract}.json has no code`);
  return hexToBytes(code);
}

function isCode(code: unknown): code is Hex {
  return isHex(code) && code.length > 2;
}
