import { type Hex, keccak256, type PublicClient, RpcRequestError } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { createNonceManager, jsonRpc } from 'viem/nonce';
import { serialQueue } from '../../core/concurrency/serial-queue.ts';
import { BASE_CHAIN_ID } from '../../core/x402/usdc-on-base.ts';
import { causeOf } from './node-faults.ts';

export interface Call {
  readonly to: Hex;
  readonly data: Hex;
}

/** Sends transactions of one account, one after the other, so that each has the next nonce. */
export interface SerialSender {
  readonly address: Hex;
  /** The hash of what was, or may have been, sent. Throws when nothing was sent: the call reverts, or the node refuses. */
  send(call: Call): Promise<Hex>;
}

/** Queued calls beyond this are not sent: they would be too late. */
const QUEUE_MAX = 256;

export function createSerialSender(client: PublicClient, account: PrivateKeyAccount): SerialSender {
  // Not viem's exported one: it is shared by the process and remembers other chains.
  const nonces = createNonceManager({ source: jsonRpc() });
  const { address } = account;
  const inTurn = serialQueue();
  let waiting = 0;

  const sendNow = async ({ to, data }: Call): Promise<Hex> => {
    const [gas, fees] = await Promise.all([
      client.estimateGas({ account: address, to, data }),
      client.estimateFeesPerGas(),
    ]);
    const nonce = await nonces.consume({ address, chainId: BASE_CHAIN_ID, client });
    const signed = await account.signTransaction({
      type: 'eip1559',
      chainId: BASE_CHAIN_ID,
      to,
      data,
      nonce,
      gas: withReserve(gas),
      ...fees,
    });
    try {
      return await client.sendRawTransaction({ serializedTransaction: signed });
    } catch (error) {
      nonces.reset({ address, chainId: BASE_CHAIN_ID });
      if (isRejection(error)) throw error;
      // The node may have it although its answer was lost; the hash is known anyway.
      return keccak256(signed);
    }
  };

  return {
    address,
    async send(call) {
      if (waiting >= QUEUE_MAX) throw new Error('too many transactions are waiting to be sent');
      waiting += 1;
      return inTurn(() => sendNow(call)).finally(() => (waiting -= 1));
    },
  };
}

/** The state may change between the estimate and the block. */
function withReserve(gas: bigint): bigint {
  return gas + gas / 5n;
}

/** The node answered, and not that it has the transaction already. */
function isRejection(error: unknown): boolean {
  const cause = causeOf(error, RpcRequestError);
  return cause !== null && !/already known|known transaction/i.test(cause.details);
}
