import { isAddress } from '../../x402/address.ts';

const DIGITS_MAX = 100;
const UINT256_END = 2n ** 256n;

/** As BigInt() reads it, within a bound: also '0x10', ' 10 ' and '', which are no amounts of ours. */
export function lenientAmount(value: unknown): bigint | null {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : null;
  if (typeof value !== 'string' || value.length > DIGITS_MAX) return null;
  try {
    return BigInt(value);
  } catch {
    return null;
  }
}

export function isUint256(value: bigint | null): boolean {
  return value !== null && value >= 0n && value < UINT256_END;
}

export function isEvmAddress(value: unknown): boolean {
  return typeof value === 'string' && isAddress(value, 'evm');
}

/** `now + seconds` as text has to be a whole number: null adds nothing, and text is put behind the number. */
export function isSpan(seconds: unknown): boolean {
  if (seconds === null) return true;
  if (typeof seconds === 'number') return Number.isSafeInteger(seconds);
  return typeof seconds === 'string' && /^[0-9]{1,20}$/.test(seconds);
}

/** Text of a text or a number. Objects have none: turning one into text may run for ever, or throw. */
export function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
