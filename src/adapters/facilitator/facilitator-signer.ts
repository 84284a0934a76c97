import { setTimeout as wait } from 'node:timers/promises';
import type { FacilitatorEvmSigner } from '@x402/evm';
import {
  type Abi,
  encodeFunctionData,
  type Hex,
  type PublicClient,
  TransactionReceiptNotFoundError,
} from 'viem';
import { isNodeFault } from './node-faults.ts';
import type { Call, SerialSender } from './serial-sender.ts';

export interface SignerOptions {
  readonly client: PublicClient;
  readonly sender: Pick<SerialSender, 'address'> & { send(call: Call): Promise<Hex> };
  /** How long a transaction may take to be mined. */
  readonly confirmationMs: number;
  /** Called when the node is unreachable, which the SDK reports as a bad signature or a failed transaction. */
  readonly onFault: () => void;
  /** Called when a transaction is in a block and has failed. */
  readonly onReverted?: (hash: Hex) => void;
}

const POLL_MS = 250;

/** What the SDK's facilitator needs of a chain. */
export function createFacilitatorSigner(options: SignerOptions): FacilitatorEvmSigner {
  const { client, sender, confirmationMs, onFault, onReverted = () => {} } = options;
  const noting = async <T>(asked: Promise<T>): Promise<T> => {
    try {
      return await asked;
    } catch (error) {
      if (isNodeFault(error)) onFault();
      throw error;
    }
  };
  return {
    getAddresses: () => [sender.address],
    getCode: (args) => noting(client.getCode(args)),
    // The SDK passes its own constants as `unknown[]`; viem validates them at run time.
    readContract: (args) => noting(client.readContract({ ...args, abi: args.abi as Abi })),
    // Likewise: the SDK builds domain, types and message.
    verifyTypedData: (args) => noting(client.verifyTypedData(args as never)),
    writeContract: ({ address, abi, functionName, args }) =>
      // Likewise: the ABI is a constant of the SDK.
      noting(sender.send({ to: address, data: encodeFunctionData({ abi: abi as Abi, functionName, args }) })),
    sendTransaction: () => Promise.reject(new Error('wallets are not deployed here')),
    async waitForTransactionReceipt({ hash }) {
      const receipt = await noting(receiptOf(client, hash, confirmationMs));
      if (receipt.status === 'reverted') onReverted(hash);
      return receipt;
    },
  };
}

/** Polls for the receipt of exactly this transaction, also after faults of the node. */
async function receiptOf(client: PublicClient, hash: Hex, confirmationMs: number) {
  const rounds = Math.ceil(confirmationMs / POLL_MS);
  for (let round = 0; round < rounds; round += 1) {
    if (round > 0) await wait(POLL_MS);
    const receipt = await client.getTransactionReceipt({ hash }).catch(() => null);
    if (receipt !== null) return receipt;
  }
  throw new TransactionReceiptNotFoundError({ hash });
}
