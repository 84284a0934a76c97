declare const brand: unique symbol;

/** Millionths of a US dollar, which is also the atomic unit of USDC on every network we support. */
export type MicroUsd = bigint & { readonly [brand]: 'MicroUsd' };

const MICROS_PER_USD = 1_000_000n;
const MICRO_DIGITS = 6;

// Twelve whole digits bound the work and still exceed any price a listing can mean.
const PLAIN_DECIMAL = /^(0|[1-9][0-9]{0,11})(?:\.([0-9]{1,40}))?$/;

/** Marked, so that a bundle leaves out the amounts that it does not use. */
/* @__NO_SIDE_EFFECTS__ */ export function microUsd(value: bigint): MicroUsd {
  if (value < 0n) throw new Error('an amount of money is never negative');
  // The only cast: the line above makes sure that the amount is not negative.
  return value as MicroUsd;
}

/** Reads a plain decimal of USD, rounded half up to a millionth. '0x10', '1e9', '+1', '01' and '' are not prices. */
export function parseUsd(text: string): MicroUsd | null {
  const read = readDecimal(text);
  return read === null ? null : microUsd(read.micros + (read.rest >= '5' ? 1n : 0n));
}

/** Reads a maximum, rounded down to a millionth: no price above it may pass. */
export function parseMaxUsd(text: string): MicroUsd | null {
  const read = readDecimal(text);
  return read === null ? null : microUsd(read.micros);
}

/** Reads a price from a JSON number. */
export function parseUsdNumber(value: number): MicroUsd | null {
  if (!Number.isFinite(value) || value < 0) return null;
  const shortest = String(value);
  // Very small numbers print with an exponent, which is not a plain decimal; so do very large ones, and those stay refused.
  return parseUsd(shortest.includes('e') && value < 1 ? value.toFixed(12) : shortest);
}

/** Reads a maximum from a JSON number, rounded down to a millionth. */
export function parseMaxUsdNumber(value: number): MicroUsd | null {
  if (!Number.isFinite(value) || value < 0) return null;
  // Below a millionth numbers print with an exponent.
  return value < 0.000_001 ? microUsd(0n) : parseMaxUsd(String(value));
}

/** `rest` is the first digit behind the millionths. */
function readDecimal(text: string): { readonly micros: bigint; readonly rest: string } | null {
  const match = PLAIN_DECIMAL.exec(text);
  if (match === null) return null;
  const whole = BigInt(match[1] ?? '0') * MICROS_PER_USD;
  const fraction = (match[2] ?? '').padEnd(MICRO_DIGITS + 1, '0');
  return {
    micros: whole + BigInt(fraction.slice(0, MICRO_DIGITS)),
    rest: fraction.charAt(MICRO_DIGITS),
  };
}

/** The shortest exact decimal: '0.02', '9', '0.000001'. */
export function formatUsd(amount: MicroUsd): string {
  const whole = amount / MICROS_PER_USD;
  const fraction = (amount % MICROS_PER_USD).toString().padStart(MICRO_DIGITS, '0').replace(/0+$/, '');
  return fraction === '' ? whole.toString() : `${whole}.${fraction}`;
}

/** The nearest JSON number. Always finite: an amount has at most 78 digits, a double reaches 308. */
export function usdNumber(amount: MicroUsd): number {
  return Number(formatUsd(amount));
}
