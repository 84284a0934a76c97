import { QUOTE_SECONDS } from '../limits.ts';
import type { MicroUsd } from '../money/micro-usd.ts';
import { BASE, BASE_USDC, USDC_DOMAIN } from './usdc-on-base.ts';

/** Price and payee of a call. */
export interface Price {
  readonly amount: MicroUsd;
  readonly payTo: string;
}

/** One entry of `accepts` in our 402, and what the facilitator verifies a payment against. */
export function exactRequirement({ amount, payTo }: Price) {
  return {
    scheme: 'exact' as const,
    network: BASE,
    amount: amount.toString(),
    asset: BASE_USDC,
    payTo,
    maxTimeoutSeconds: QUOTE_SECONDS,
    extra: USDC_DOMAIN,
  };
}
