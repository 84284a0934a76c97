import { type MicroUsd, microUsd, parseUsd, parseUsdNumber } from '../money/micro-usd.ts';
import { parseUint256 } from '../x402/uint256.ts';

/** The unit of a bare number: millionths, as in x402 itself, or dollars, in lists that converted it. */
export type NumberMeaning = 'atomic' | 'usd';

/** No price exceeds a trillion dollars. */
const ATOMIC_MAX = 10n ** 18n;
const PRICE_MAX_CHARS = 64;
const DOLLARS = /^(?:US ?)?\$? ?([0-9.]+) ?(?:USDC|USD)?$/i;

/** An amount of USDC inside `accepts`. Digits alone are millionths; with a sign, a unit or a decimal point it is dollars. */
export function readAmount(value: unknown, numbers: NumberMeaning): MicroUsd | null {
  if (typeof value === 'number') {
    return numbers === 'usd' || !Number.isInteger(value) ? parseUsdNumber(value) : readAtomic(String(value));
  }
  return (
    readAtomic(value) ?? (typeof value === 'string' && !/^[0-9]+$/.test(value) ? readUsdText(value) : null)
  );
}

export function readAtomic(value: unknown): MicroUsd | null {
  const atomic = parseUint256(typeof value === 'number' ? String(value) : value);
  return atomic === null || atomic > ATOMIC_MAX ? null : microUsd(atomic);
}

/** A price in dollars: 0.02, "0.02", "$0.02", "0.02 USDC". */
export function readUsd(value: unknown): MicroUsd | null {
  return typeof value === 'number' ? parseUsdNumber(value) : readUsdText(value);
}

function readUsdText(value: unknown): MicroUsd | null {
  if (typeof value !== 'string' || value.length > PRICE_MAX_CHARS) return null;
  const [, digits = ''] = DOLLARS.exec(value.trim()) ?? [];
  return parseUsd(digits);
}

/** Lists write zero for an unknown price; nothing behind a paywall is free. */
export function unlessZero(price: MicroUsd | null): MicroUsd | null {
  return price === 0n ? null : price;
}

const DOLLAR_NAMES: ReadonlySet<string> = new Set(['usd', 'usdc', 'usd coin', 'usd-coin', '$', 'us$']);

/** A list that names no currency means dollars. */
export function isDollar(currency: string | null): boolean {
  return currency === null || currency === '' || DOLLAR_NAMES.has(currency.trim().toLowerCase());
}
