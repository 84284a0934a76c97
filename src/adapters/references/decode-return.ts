import type { Reference } from '../../core/known-answer/known-answer-test.ts';
import { unreachable } from '../../core/unreachable.ts';

type Returns = Extract<Reference, { readonly kind: 'eth_call' }>['returns'];

const WORD = /^0x[0-9a-f]{64}$/i;
const ADDRESS_WORD = /^0x0{24}[0-9a-f]{40}$/i;
/** One dynamic value: its offset, which is always 32, its length in bytes, and its bytes. */
const TEXT = /^0x0{62}20(?<length>[0-9a-f]{64})(?<bytes>(?:[0-9a-f]{2})*)$/i;

/**
 * The single value that a call returned. Five types need no library. Any other shape is null: a guess could count against a
 * seller.
 */
export function decodeReturn(hex: string, returns: Returns, decimals = 0): string | boolean | null {
  if (returns === 'string') return decodeText(hex);
  if (!WORD.test(hex)) return null;
  switch (returns) {
    case 'uint256':
      return fixedPoint(BigInt(hex), decimals);
    case 'int256':
      return fixedPoint(BigInt.asIntN(256, BigInt(hex)), decimals);
    case 'address':
      return ADDRESS_WORD.test(hex) ? `0x${hex.slice(-40).toLowerCase()}` : null;
    case 'bool':
      return BigInt(hex) > 1n ? null : BigInt(hex) === 1n;
    default:
      return unreachable(returns);
  }
}

/** As text: a balance has more digits than a double holds. */
function fixedPoint(value: bigint, decimals: number): string {
  const digits = String(value < 0n ? -value : value).padStart(decimals + 1, '0');
  const sign = value < 0n ? '-' : '';
  const point = digits.length - decimals;
  return decimals === 0 ? `${sign}${digits}` : `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}

function decodeText(hex: string): string | null {
  const { length = '', bytes = '' } = TEXT.exec(hex)?.groups ?? {};
  const wanted = length === '' ? Number.NaN : Number(BigInt(`0x${length}`));
  if (!(2 * wanted <= bytes.length)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(bytes.slice(0, 2 * wanted), 'hex'));
  } catch {
    return null;
  }
}
