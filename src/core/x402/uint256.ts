const PLAIN_DIGITS = /^(0|[1-9][0-9]{0,77})$/;
const LIMIT = 2n ** 256n;

/** Plain digits only: BigInt itself would also take '0x10', ' 10 ' and ''. The length is bounded before it is converted. */
export function parseUint256(text: unknown): bigint | null {
  if (typeof text !== 'string' || !PLAIN_DIGITS.test(text)) return null;
  const value = BigInt(text);
  return value < LIMIT ? value : null;
}
