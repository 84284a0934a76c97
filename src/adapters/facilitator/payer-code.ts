import { getAddress, type PublicClient } from 'viem';
import type { Payment } from '../../core/x402/payment-payload.ts';

/**
 * Says whether a contract decides about the payer's signatures: a contract wallet, or a key that has delegated to one
 * (EIP-7702). Such code can accept in a simulation and fail on the chain, at our expense. Null without an answer of the node.
 */
export async function payerHasCode(
  client: Pick<PublicClient, 'getCode'>,
  { authorization }: Payment,
): Promise<boolean | null> {
  try {
    const code = await client.getCode({ address: getAddress(authorization.from) });
    return code !== undefined && code !== '0x';
  } catch {
    return null;
  }
}
