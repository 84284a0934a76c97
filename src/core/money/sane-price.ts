import { SANE_PRICE_MAX } from '../limits.ts';
import type { MicroUsd } from './micro-usd.ts';

/**
 * Guards the buyer who gave nothing to compare with (gaps G37 and G74).
 * A price that was claimed beforehand is sane by itself: the buyer knew it.
 */
export function isSanePrice(quoted: MicroUsd, claimed: MicroUsd | null): boolean {
  if (claimed !== null && quoted === claimed) return true;
  return quoted > 0n && quoted <= SANE_PRICE_MAX;
}
