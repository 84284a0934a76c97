import { type JsonObject, member } from '../../core/x402/read-json.ts';

/**
 * Clients copy the amount as it stands into what they sign and send, or refuse to read it, so a number (gap L01) becomes the text
 * that it means. As with its lifetime, the seller gets its own entry back.
 */
export function amountAsText(entry: JsonObject): JsonObject {
  const numbers = AMOUNT_KEYS.flatMap((key): [string, string][] => {
    const amount = member(entry, key);
    return Number.isSafeInteger(amount) ? [[key, String(amount)]] : [];
  });
  return numbers.length === 0 ? entry : { ...entry, ...Object.fromEntries(numbers) };
}

const AMOUNT_KEYS = ['amount', 'maxAmountRequired'] as const;
