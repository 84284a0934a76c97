import { encodeFunctionData, type Hex, keccak256, numberToHex, parseAbi, stringToBytes } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { USDC } from '../../adapters/facilitator/base-chain.ts';
import { BASE_CHAIN_ID } from '../../core/x402/usdc-on-base.ts';

/** The keys are hashes of public words: anybody can derive them, so never send anything of value there. */
const SEED = 'assay sandbox: ';
const BUYERS = 10;

/** Initial balance of a buyer: 100 USDC. */
export const BUYER_FUNDS = 100_000_000n;
/** A wallet that is a contract (contracts/ContractWallet.sol); the first buyer owns it, and it is funded like one. */
export const CONTRACT_WALLET = '0xc40a8F4cA7143F6651C79a732EE1e8F2b4B10876';

export interface SandboxAccount {
  readonly key: Hex;
  readonly address: Hex;
}

export interface SandboxAccounts {
  /** Pays for gas. */
  readonly gas: SandboxAccount;
  /** May mint USDC. */
  readonly minter: SandboxAccount;
  /** The wallet of the service; initially empty. */
  readonly seller: SandboxAccount;
  readonly buyers: readonly SandboxAccount[];
  /** A buyer without funds. */
  readonly pauper: SandboxAccount;
}

export function sandboxAccounts(): SandboxAccounts {
  return {
    gas: account('gas'),
    minter: account('minter'),
    seller: account('seller'),
    pauper: account('pauper'),
    buyers: Array.from({ length: BUYERS }, (_, index) => account(`buyer ${index + 1}`)),
  };
}

export type AskChain = (method: string, params: readonly unknown[]) => Promise<unknown>;

const TOKEN = parseAbi([
  'function mint(address to, uint256 amount) returns (bool)',
  'function totalSupply() view returns (uint256)',
]);
const MINT_GAS = 120_000n;
const FEE_PER_GAS = 1_000_000_000n;

/** Mints by real transactions of the minter, because a genesis block of this EVM has no storage. */
export async function fundBuyers(ask: AskChain, { minter, buyers }: SandboxAccounts): Promise<void> {
  const signer: PrivateKeyAccount = privateKeyToAccount(minter.key);
  const funded = [...buyers.map(({ address }) => address), CONTRACT_WALLET] as const;
  const signed = await Promise.all(
    funded.map((to, nonce) =>
      signer.signTransaction({
        type: 'eip1559',
        chainId: BASE_CHAIN_ID,
        nonce,
        to: USDC,
        data: encodeFunctionData({ abi: TOKEN, functionName: 'mint', args: [to, BUYER_FUNDS] }),
        gas: MINT_GAS,
        maxFeePerGas: FEE_PER_GAS,
        maxPriorityFeePerGas: 0n,
      }),
    ),
  );
  for (const transaction of signed) await ask('eth_sendRawTransaction', [transaction]);
  const data = encodeFunctionData({ abi: TOKEN, functionName: 'totalSupply' });
  const supply = await ask('eth_call', [{ to: USDC, data }, 'latest']);
  const expected = numberToHex(BUYER_FUNDS * BigInt(funded.length), { size: 32 });
  if (supply !== expected) throw new Error('the sandbox could not mint its USDC');
}

function account(name: string): SandboxAccount {
  const key = keccak256(stringToBytes(SEED + name));
  return { key, address: privateKeyToAccount(key).address };
}
