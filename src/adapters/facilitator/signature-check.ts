import { setImmediate as immediate } from 'node:timers/promises';
import { getAddress, isHex, recoverTypedDataAddress } from 'viem';
import { serialQueue } from '../../core/concurrency/serial-queue.ts';
import { isSameAddress } from '../../core/x402/address.ts';
import type { Payment } from '../../core/x402/payment-payload.ts';
import { BASE_CHAIN_ID, USDC_DOMAIN } from '../../core/x402/usdc-on-base.ts';
import type { SignatureCheck, SignedBy } from '../../ports/facilitator.ts';
import { USDC } from './base-chain.ts';

const TYPES = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const;

/** The signature of a key: 65 bytes in hexadecimal. */
const KEY_SIGNATURE_CHARS = 132;

/**
 * Recovers the signer of a payment (EIP-712), so that nobody has to be asked about a forged one. It takes milliseconds of
 * computing, so there is one at a time, and other work goes on in between.
 */
export function createSignatureCheck(): SignatureCheck {
  const inTurn = serialQueue();
  return {
    signedBy: (payment) =>
      inTurn(async () => {
        await immediate();
        return signedBy(payment);
      }),
  };
}

async function signedBy({ authorization, signature }: Payment): Promise<SignedBy> {
  const { from, to, nonce, ...amounts } = authorization;
  if (signature.length !== KEY_SIGNATURE_CHARS || !isHex(signature) || !isHex(nonce)) return 'not_known';
  try {
    const signer = await recoverTypedDataAddress({
      domain: { ...USDC_DOMAIN, chainId: BASE_CHAIN_ID, verifyingContract: USDC },
      types: TYPES,
      primaryType: 'TransferWithAuthorization',
      message: { from: getAddress(from), to: getAddress(to), nonce, ...amounts },
      signature,
    });
    return isSameAddress(signer, from) ? 'payer' : 'another';
  } catch {
    // Not a point on the curve, and so nobody's signature.
    return 'another';
  }
}
