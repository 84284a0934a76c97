import * as z from 'zod';
import { exactRequirement, type Price } from '../../core/x402/exact-requirement.ts';
import { BASE, BASE_USDC } from '../../core/x402/usdc-on-base.ts';
import type { PaidRoute } from './paid-routes.ts';
import { PAYMENT_IDENTIFIER } from './payment-identifier.ts';

const requirementMembers = {
  scheme: z.literal('exact').describe('Payment scheme: exactly this amount.'),
  asset: z.literal(BASE_USDC).describe('Token contract: USDC on Base.'),
  payTo: z.string().describe('Our wallet.'),
  maxTimeoutSeconds: z.int().describe('Sign the payment for at most this many seconds.'),
  extra: z
    .object({
      name: z.string().describe('Name in the EIP-712 domain of the token.'),
      version: z.string().describe('Version in the EIP-712 domain of the token.'),
    })
    .describe('What a client needs to sign an EIP-3009 authorization.'),
};
const price = z.string().describe('Price in the smallest units of USDC; 1000000 are 1 USD.');
const resource = {
  url: z.string().describe('URL of the route.'),
  description: z.string().describe('What is sold.'),
  mimeType: z.string().describe('Media type of the paid answer.'),
};
const error = z
  .string()
  .describe('Why the request was not answered: no payment yet, or what is wrong with it.');

export const paymentRequirement = z.object({
  ...requirementMembers,
  network: z.literal(BASE).describe('Network, CAIP-2.'),
  amount: price,
});

/** The requirement of x402 version 2; header and body carry the same object (gap G61). */
export const paymentRequiredShape = z
  .object({
    x402Version: z.literal(2).describe('Version of x402.'),
    error,
    resource: z.object(resource).describe('What is sold.'),
    accepts: z.array(paymentRequirement).describe('Pay one of these; an x402 client does it.'),
    extensions: z
      .record(z.string(), z.unknown())
      .describe(
        'Extensions of x402. bazaar: example and schema of the call, for payment directories; payment-identifier: an id that the buyer may add to its payment.',
      ),
  })
  .describe('The payment requirement of x402 version 2.');

const requirementV1 = z.object({
  ...requirementMembers,
  network: z.literal('base').describe('Network, by its name in version 1.'),
  maxAmountRequired: price,
  resource: resource.url,
  description: resource.description,
  mimeType: resource.mimeType,
  outputSchema: z
    .record(z.string(), z.unknown())
    .describe('Input and output of the call, for payment directories.'),
});

/** The older form, for clients that parse the body strictly (gap G61b). */
export const paymentRequiredV1Shape = z
  .object({
    x402Version: z.literal(1).describe('Version of x402.'),
    error,
    accepts: z.array(requirementV1).describe('Pay one of these; an x402 client does it.'),
  })
  .describe('The payment requirement of x402 version 1; only with the request header X-402-Version: 1.');

export type PaymentRequired = z.infer<typeof paymentRequiredShape>;

export interface Demand {
  readonly route: PaidRoute;
  readonly method: 'GET' | 'POST';
  readonly price: Price;
  /** The public address that the caller used (gap G80). */
  readonly base: string;
  readonly error: string;
}

export function paymentRequired({ route, method, price: asked, base, error: said }: Demand): PaymentRequired {
  return {
    x402Version: 2,
    error: said,
    resource: { url: base + route.path, description: route.description, mimeType: 'application/json' },
    accepts: [exactRequirement(asked)],
    extensions: { bazaar: route.bazaar(method), 'payment-identifier': PAYMENT_IDENTIFIER },
  };
}

export function paymentRequiredV1({
  route,
  method,
  price: asked,
  base,
  error: said,
}: Demand): z.infer<typeof paymentRequiredV1Shape> {
  const { scheme, amount, asset, payTo, maxTimeoutSeconds, extra } = exactRequirement(asked);
  const { info } = route.bazaar(method);
  return {
    x402Version: 1,
    error: said,
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
  };
}
