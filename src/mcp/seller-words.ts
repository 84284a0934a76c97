import { isAnyAddress } from '../core/x402/address.ts';

const IS_KNOWN: Readonly<Record<string, (value: string) => boolean>> = {
  pay_to: isAnyAddress,
  asset: isAnyAddress,
  scheme: (scheme) => scheme === 'exact' || scheme === 'upto',
};

/** For JSON.stringify: a seller may write an instruction where its payee or token belongs, and a model reads the text (gap G49). */
export function withoutSellerWords(name: string, value: unknown): unknown {
  const isKnown = Object.hasOwn(IS_KNOWN, name) ? IS_KNOWN[name] : undefined;
  return typeof value === 'string' && isKnown?.(value) === false ? null : value;
}
