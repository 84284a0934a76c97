import { exactRequirement } from '../../core/x402/exact-requirement.ts';
import { priceInfo } from '../openapi/payment-info.ts';
import { PAID_ROUTES, type PaidRoute } from './paid-routes.ts';

export interface ManifestParts {
  readonly base: string;
  /** Null when nothing can be bought; then nothing is listed. */
  readonly payTo: string | null;
  readonly updatedAt: Date;
}

/** What can be bought: readers of version 1 use `resources`, others `items`. */
export function x402Manifest({ base, payTo, updatedAt }: ManifestParts) {
  const routes = payTo === null ? [] : PAID_ROUTES.map((route) => ({ route, payTo }));
  return {
    version: 1,
    resources: routes.map(({ route }) => base + route.path),
    x402Version: 2,
    lastUpdated: updatedAt.toISOString(),
    items: routes.map(({ route, payTo: wallet }) => item(route, base, wallet)),
  } as const;
}

function item(route: PaidRoute, base: string, payTo: string) {
  const { input, output } = route.bazaar('GET').info;
  return {
    resource: base + route.path,
    type: 'http',
    description: route.description,
    mimeType: 'application/json',
    methods: route.methods,
    price: priceInfo(route),
    accepts: [exactRequirement({ amount: route.price, payTo })],
    input,
    output,
  } as const;
}
