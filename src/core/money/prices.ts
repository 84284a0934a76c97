import { SANE_PRICE_MAX, SPOT_CHECK_PRICE_MAX, SPOT_CHECK_PRICE_MIN } from '../limits.ts';
import { type MicroUsd, microUsd } from './micro-usd.ts';

/** A tenth of the target's price: a check must cost less than being cheated. */
export function spotCheckPrice(quoted: MicroUsd | null): MicroUsd {
  if (quoted === null) return SPOT_CHECK_PRICE_MIN;
  const tenth = microUsd((quoted + 5n) / 10n); // half up (gap G47)
  if (tenth < SPOT_CHECK_PRICE_MIN) return SPOT_CHECK_PRICE_MIN;
  if (tenth > SPOT_CHECK_PRICE_MAX) return SPOT_CHECK_PRICE_MAX;
  return tenth;
}

/**
 * Protects a buyer who claimed no price (gaps G37 and G74). A claimed price is always accepted: the buyer knew it.
 */
export function isSanePrice(quoted: MicroUsd, claimed: MicroUsd | null): boolean {
  if (claimed !== null && quoted === claimed) return true;
  return quoted > 0n && quoted <= SANE_PRICE_MAX;
}
