// Either side of the point holds the longest integer of a contract, 78 digits.
const DECIMAL = /^-?[0-9]{1,80}(?:\.[0-9]{1,80})?$/;
/** Quantities as nodes write them; longer ones are addresses and hashes, not numbers. */
const HEX = /^0x[0-9a-f]{1,32}$/i;

export function readNumber(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  const decimal = decimalOf(value);
  return decimal === null ? null : Number(decimal);
}

/** '42.0', '0x2a' and 42 are the same number. Every digit of a long one counts. */
export function isSameNumber(value: unknown, wanted: unknown): boolean {
  // Beyond 2^53 the parser has already rounded the seller's number, so the reference is rounded in the same way.
  if (typeof value === 'number' && !Number.isSafeInteger(value)) return value === readNumber(wanted);
  const digits = digitsOf(value);
  return digits !== null && digits === digitsOf(wanted);
}

function digitsOf(value: unknown): string | null {
  const decimal = decimalOf(typeof value === 'number' ? String(value) : value);
  if (decimal === null) return null;
  const [whole = '', fraction = ''] = decimal.split('.');
  const decimals = fraction.replace(/0+$/, '');
  return `${whole.replace(/^(-?)0+(?=[0-9])/, '$1')}${decimals === '' ? '' : `.${decimals}`}`;
}

function decimalOf(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  if (HEX.test(value)) return String(BigInt(value));
  return DECIMAL.test(value) ? value : null;
}
