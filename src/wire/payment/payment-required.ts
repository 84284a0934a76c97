import { z } from 'zod';
import { QUOTE_SECONDS } from '../../core/limits.ts';
import type { MicroUsd } from '../../core/money/micro-usd.ts';
import type { PaidRoute } from './paid-routes.ts';
import { PAYMENT_IDENTIFIER } from './payment-identifier.ts';

/** What a call costs, and whom it is paid to. */
export interface Price {
  readonly amount: MicroUsd;
  readonly payTo: string;
}

const NETWORK = 'eip155:8453';
const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
/** The EIP-712 domain of USDC on Base: without it a wallet cannot sign. */
const DOMAIN = { name: 'USD Coin', version: '2' };

export const paymentRequirement = z.object({
  scheme: z.literal('exact'),
  network: z.literal(NETWORK),
  amount: z.string().describe('Atomic units of USDC'),
  asset: z.literal(USDC),
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

export function requirementOf({ amount, payTo }: Price): z.infer<typeof paymentRequirement> {
  return {
    scheme: 'exact',
    network: NETWORK,
    amount: amount.toString(),
    asset: USDC,
    payTo,
    maxTimeoutSeconds: QUOTE_SECONDS,
    extra: DOMAIN,
  };
}

export function paymentRequired({ route, method, price, base, error }: Demand): PaymentRequired {
  return {
    x402Version: 2,
    error,
    resource: { url: base + route.path, description: route.description, mimeType: 'application/json' },
    accepts: [requirementOf(price)],
    extensions: { bazaar: route.bazaar(method), 'payment-identifier': PAYMENT_IDENTIFIER },
  };
}

/** The older form, for clients that parse the body strictly (gap G61b). */
export function paymentRequiredV1({ route, method, price, base, error }: Demand) {
  const { scheme, amount, asset, payTo, maxTimeoutSeconds, extra } = requirementOf(price);
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
