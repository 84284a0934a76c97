import { type JsonObject, member } from '../../x402/read-json.ts';
import type { Payment } from './client-reading.ts';
import { isEvmAddress, isUint256, lenientAmount, textOf } from './lenient-values.ts';

/** What a wallet would sign for this entry; null when it cannot. */
export function signablePayment(
  entry: JsonObject,
  amountKey: 'amount' | 'maxAmountRequired',
): Payment | null {
  const [network, asset, payTo] = ['network', 'asset', 'payTo'].map((key) => textOf(member(entry, key)));
  const amountAtomic = lenientAmount(member(entry, amountKey));
  if (network === undefined || asset === undefined || payTo === undefined || amountAtomic === null)
    return null;
  if (!isEvmAddress(asset) || !isEvmAddress(payTo) || !isUint256(amountAtomic)) return null;
  return { network, asset, payTo, amountAtomic };
}
