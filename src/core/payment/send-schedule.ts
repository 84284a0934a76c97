import { SENDS_PER_PAYMENT } from '../limits.ts';

/** Transactions that our own key has sent for one payment. */
export interface Sends {
  readonly count: number;
  /** Milliseconds since 1970. */
  readonly notBefore: number;
}

const FIRST_PAUSE_MS = 5_000;

/** The sends after one more, with exponential back-off; null when it is too early, or none is left (gap L90). */
export function nextSend({ count, notBefore }: Sends, now: Date): Sends | null {
  const at = now.getTime();
  if (count >= SENDS_PER_PAYMENT || at < notBefore) return null;
  return { count: count + 1, notBefore: at + FIRST_PAUSE_MS * 2 ** count };
}
