import { type Hex, keccak256, type PublicClient, RpcRequestError } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { createNonceManager, jsonRpc } from 'viem/nonce';
import { serialQueue } from '../../core/concurrency/serial-queue.ts';
import { BASE_CHAIN_ID } from '../../core/x402/usdc-on-base.ts';
import type { MaySend } from '../../ports/facilitator.ts';
import { causeOf } from './node-faults.ts';

export interface Call {
  readonly to: Hex;
  readonly data: Hex;
}

/** Sends transactions of one account, one after the other, so that each has the next nonce. */
export interface SerialSender {
  readonly address: Hex;
  /** The hash of what was, or may have been, sent. Throws when nothing was sent: the call reverts, or it is refused. */
  send(call: Call, maySend?: MaySend): Promise<Hex>;
}

/** The most that one transaction may cost: its gas limit, and the fee for a unit of gas. */
export interface GasCeilings {
  readonly gas: bigint;
  readonly feeWei: bigint;
}

/** The call itself needs too much gas. */
export class GasTooHigh extends Error {}

/** Queued calls beyond this are not sent: they would be too late. */
const QUEUE_MAX = 256;

export function createSerialSender(
  client: PublicClient,
  account: PrivateKeyAccount,
  ceilings: GasCeilings | null = null,
): SerialSender {
  // Not viem's exported one: it is shared by the process and remembers other chains.
  const nonces = createNonceManager({ source: jsonRpc() });
  const { address } = account;
  const inTurn = serialQueue();
  let waiting = 0;

  const sendNow = async ({ to, data }: Call, maySend: MaySend): Promise<Hex> => {
    const [estimate, fees] = await Promise.all([
      client.estimateGas({ account: address, to, data }),
      client.estimateFeesPerGas(),
    ]);
    const gas = withReserve(estimate);
    if (ceilings !== null && gas > ceilings.gas) throw new GasTooHigh('the call needs too much gas');
    // Never a lower fee than the estimate: a transaction that no block takes would hold up those behind it.
    if (ceilings !== null && fees.maxFeePerGas > ceilings.feeWei) throw new Error('gas is too dear now');
    if (!(await maySend())) throw new Error('no transaction is left for this call');
    const nonce = await nonces.consume({ address, chainId: BASE_CHAIN_ID, client });
    const signed = await account.signTransaction({
      type: 'eip1559',
      chainId: BASE_CHAIN_ID,
      to,
      data,
      nonce,
      gas,
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
    async send(call, maySend = async () => true) {
      if (waiting >= QUEUE_MAX) throw new Error('too many transactions are waiting to be sent');
      waiting += 1;
      return inTurn(() => sendNow(call, maySend)).finally(() => (waiting -= 1));
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
