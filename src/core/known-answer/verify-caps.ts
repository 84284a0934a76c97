import { microUsd } from '../money/micro-usd.ts';

/** What our own paid calls may cost; the operator may change these defaults. */
export const VERIFY_CAPS = {
  perCall: microUsd(100_000n),
  perDay: microUsd(1_000_000n),
  total: microUsd(20_000_000n),
} as const;
