import { isAddress, isAddressEqual, isHex, recoverMessageAddress } from 'viem';
import type { IsSignedBy } from '../../core/catalog/payee-rotation.ts';

/** Only for wallets with a private key; verifying a contract's signature needs the chain. */
export const isSignedBy: IsSignedBy = async (wallet, text, signature) => {
  if (!isAddress(wallet, { strict: false }) || !isHex(signature)) return false;
  try {
    return isAddressEqual(await recoverMessageAddress({ message: text, signature }), wallet);
  } catch {
    return false;
  }
};
