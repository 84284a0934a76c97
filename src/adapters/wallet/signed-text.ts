import { isAddress, isAddressEqual, isHex, recoverMessageAddress } from 'viem';
import type { IsSignedBy } from '../../core/catalog/payee-rotation.ts';

/** Wallets with a key of their own; a contract cannot sign a text without the chain being asked. */
export const isSignedBy: IsSignedBy = async (wallet, text, signature) => {
  if (!isAddress(wallet, { strict: false }) || !isHex(signature)) return false;
  try {
    return isAddressEqual(await recoverMessageAddress({ message: text, signature }), wallet);
  } catch {
    return false;
  }
};
