import type { Hex } from 'viem';
import { CONTRACT_WALLET } from '../../../src/sandbox/chain/funded-accounts.ts';
import type { LocalChain } from '../../../src/sandbox/chain/local-chain.ts';
import {
  readSigned,
  type SignedAuthorization,
  type Signing,
  signAuthorization,
} from '../../../tools/signed-payment.ts';

/** `return isValidSignature.selector`. */
const ACCEPT = '631626ba7e60e01b5f5260205ff3';

/** Accepts every signature while the base fee is 0, as in a simulation; on the chain it reverts. */
export const REVERTS_ON_CHAIN: Hex = `0x4815600857${'5f5ffd5b'}${ACCEPT}`;

/** Accepts every signature after it has counted down from `rounds`, in simulations and on the chain. */
export function burnsGas(rounds: number): Hex {
  // PUSH3 rounds; JUMPDEST; PUSH1 1; SWAP1; SUB; DUP1; PUSH1 4; JUMPI; POP
  return `0x62${rounds.toString(16).padStart(6, '0')}5b6001900380600457${'50'}${ACCEPT}`;
}

/** The code of an account that has delegated to this contract (EIP-7702). */
export function delegatedTo(contract: Hex): Hex {
  return `0xef0100${contract.slice(2)}`;
}

export async function setCode({ ask }: LocalChain, account: Hex, code: Hex): Promise<void> {
  await ask('hardhat_setCode', [account, code]);
}

/** A payment from the funded contract wallet, with a signature that is not one of a key. */
export async function fromContractWallet(signing: Signing): Promise<SignedAuthorization> {
  const plain = await signAuthorization({ ...signing, from: CONTRACT_WALLET });
  return { ...plain, signature: `${plain.signature}00` };
}

export async function paymentFromContractWallet(signing: Signing) {
  return readSigned(await fromContractWallet(signing));
}

export interface GasSpent {
  readonly transactions: number;
  readonly gas: bigint;
}

/** What the account that pays for gas has sent so far. */
export async function gasSpent({ ask, accounts }: LocalChain): Promise<GasSpent> {
  const head = Number(await ask('eth_blockNumber', []));
  const spent = { transactions: 0, gas: 0n };
  for (let number = 1; number <= head; number += 1) {
    const block = Object(await ask('eth_getBlockByNumber', [`0x${number.toString(16)}`, true]));
    for (const { from, hash } of block.transactions) {
      if (String(from).toLowerCase() !== accounts.gas.address.toLowerCase()) continue;
      const receipt = Object(await ask('eth_getTransactionReceipt', [hash]));
      spent.transactions += 1;
      spent.gas += BigInt(receipt.gasUsed);
    }
  }
  return spent;
}
