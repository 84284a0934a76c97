import { z } from 'zod';
import { exactRequirement, type Price } from '../../core/x402/exact-requirement.ts';
import { BASE, BASE_USDC } from '../../core/x402/usdc-on-base.ts';
import type { PaidRoute } from './paid-routes.ts';
import { PAYMENT_IDENTIFIER } from './payment-identifier.ts';

export const paymentRequirement = z.object({
  scheme: z.literal('exact'),
  network: z.literal(BASE),
  amount: z.string().describe('Atomic units of USDC'),
  asset: z.literal(BASE_USDC),
  payTo: z.string(),
  maxTimeoutSeconds: z.int(),
  extra: z.object({ name: z.string(), version: z.string() }),
});

/** The requirement of x402 version 2; header and body carry the same object (gap G61). */
export const paymentRequiredShape = z.object({
  x402Version: z.literal(2),
  error: z.string(),
  resource: z.object({ url: z.string(), description: z.string(), mimeType: z.string() }),
  accepts: z.array(paymentRequirement),
  extensions: z.record(z.string(), z.unknown()),
});

export type PaymentRequired = z.infer<typeof paymentRequiredShape>;

export interface Demand {
  readonly route: PaidRoute;
  readonly method: 'GET' | 'POST';
  readonly price: Price;
  /** The public address that the caller used (gap G80). */
  readonly base: string;
  readonly error: string;
}

export function paymentRequired({ route, method, price, base, error }: Demand): PaymentRequired {
  return {
    x402Version: 2,
    error,
    resource: { url: base + route.path, description: route.description, mimeType: 'application/json' },
    accepts: [exactRequirement(price)],
    extensions: { bazaar: route.bazaar(method), 'payment-identifier': PAYMENT_IDENTIFIER },
  };
}

/** The older form, for clients that parse the body strictly (gap G61b). */
export function paymentRequiredV1({ route, method, price, base, error }: Demand) {
  const { scheme, amount, asset, payTo, maxTimeoutSeconds, extra } = exactRequirement(price);
  const { info } = route.bazaar(method);
  return {
    x402Version: 1,
    error,
    accepts: [
      {
        scheme,
        network: 'base',
        maxAmountRequired: amount,
        resource: base + route.path,
        description: route.description,
        mimeType: 'application/json',
        payTo,
        maxTimeoutSeconds,
        asset,
        outputSchema: { input: { ...info.input, discoverable: true }, output: info.output },
        extra,
      },
    ],
  } as const;
}
