import { readFileSync } from 'node:fs';
import { type Hex, hexToBytes, isHex } from 'viem';
import { USDC } from '../../adapters/facilitator/base-chain.ts';
import { isJsonObject, member, parseJson } from '../../core/x402/read-json.ts';
import { BASE_CHAIN_ID } from '../../core/x402/usdc-on-base.ts';
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

/** A local chain with the chain id of Base: a real EVM, real blocks, and a USDC contract at its address. */
export interface LocalChain {
  readonly rpcUrl: string;
  readonly accounts: SandboxAccounts;
  /** An in-process JSON-RPC call; throws the error of the chain. */
  readonly ask: AskChain;
  stop(): Promise<void>;
}

export interface LocalChainOptions {
  readonly port?: number;
  /** Block interval; without it every transaction is mined at once. */
  readonly blockMs?: number;
  /** Shared by all chains of a process, which may create only one. */
  readonly evm?: Evm;
}

/** The engine; a second one in the same process prints a warning. */
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
      // Interval mining would keep the process alive.
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
    chainId: BigInt(BASE_CHAIN_ID),
    networkId: BigInt(BASE_CHAIN_ID),
    hardfork: binding.opHardforkToString(hardfork),
    genesisState: [
      ...binding.opGenesisState(hardfork),
      { address: hexToBytes(USDC), code: codeOf('Usdc3009') },
      { address: hexToBytes(MULTICALL), code: codeOf('Multicall3') },
      { address: hexToBytes(CONTRACT_WALLET), code: codeOf('ContractWallet') },
      ...rich,
    ],
    // Otherwise every block is a second later than the last, and a busy chain runs ahead of the clock of the buyers.
    allowBlocksWithSameTimestamp: true,
    allowUnlimitedContractSize: false,
    bailOnCallFailure: true,
    // A node accepts a transaction that will revert; its receipt shows it.
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

/** The committed bytecode, written by `npm run build:contracts`. */
function codeOf(contract: string): Uint8Array {
  const artifact = parseJson(readFileSync(new URL(`${contract}.json`, ARTIFACTS), 'utf8'));
  const code = isJsonObject(artifact) ? member(artifact, 'code') : undefined;
  if (!isCode(code)) throw new Error(`contracts/artifacts/${contract}.json has no code`);
  return hexToBytes(code);
}

function isCode(code: unknown): code is Hex {
  return isHex(code) && code.length > 2;
}
