import { type JsonObject, member } from '../../core/x402/read-json.ts';

/**
 * A payer signs for as long as the entry says. The seller gets its own entry back with the payment, so it does not see that the
 * signature lives shorter.
 */
export function clampLifetime(entry: JsonObject, maxSeconds: number): JsonObject {
  const seconds = member(entry, 'maxTimeoutSeconds');
  if (seconds === undefined || seconds === null) return entry;
  const isFine =
    typeof seconds === 'number' && Number.isSafeInteger(seconds) && seconds > 0 && seconds <= maxSeconds;
  return isFine ? entry : { ...entry, maxTimeoutSeconds: maxSeconds };
}
