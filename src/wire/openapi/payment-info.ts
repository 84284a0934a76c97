import { SPOT_CHECK_PRICE_MAX } from '../../core/limits.ts';
import { formatUsd } from '../../core/money/micro-usd.ts';
import { exactRequirement } from '../../core/x402/exact-requirement.ts';
import { LOOKUP, type PaidRoute, SPOT_CHECK } from '../payment/paid-routes.ts';

export type PriceInfo =
  | { readonly mode: 'fixed'; readonly currency: 'USD'; readonly amount: string }
  | { readonly mode: 'dynamic'; readonly currency: 'USD'; readonly min: string; readonly max: string };

/** The price of a call, if it is known in advance. */
export function priceInfo({ path, price }: PaidRoute): PriceInfo {
  const amount = formatUsd(price);
  // Some calls are free, and the price alone would hide that.
  if (path === LOOKUP.path) return { mode: 'dynamic', currency: 'USD', min: '0', max: amount };
  if (path !== SPOT_CHECK.path) return { mode: 'fixed', currency: 'USD', amount };
  return { mode: 'dynamic', currency: 'USD', min: amount, max: formatUsd(SPOT_CHECK_PRICE_MAX) };
}

/** The `x-payment-info` of an operation; none without a wallet. */
export function paymentInfo(route: PaidRoute, payTo: string | null) {
  if (payTo === null) return undefined;
  const { scheme, network, asset } = exactRequirement({ amount: route.price, payTo });
  return { price: priceInfo(route), protocols: [{ x402: { scheme, network, asset, payTo } }] };
}
