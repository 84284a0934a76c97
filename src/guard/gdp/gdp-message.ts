import * as z from 'zod';

/** What the guardrail decision protocol (GDP, version 1) sends: newline JSON, one answer for each message. */

const ACCEPTS_MAX = 1_000;
const HISTORY_MAX = 10_000;
const LEGS_MAX = 100;

export const gdpHeader = z.object({ id: z.int(), type: z.string() });

export const gdpHello = z.object({
  gdp: z.literal(1),
  task: z.object({
    network: z.string(),
    budget_usd: z.number().nonnegative(),
    allowed_hosts: z.array(z.string()).max(1_000),
    wallet_address: z.string(),
    host_mode: z.string().optional(),
  }),
});
export type GdpTask = z.infer<typeof gdpHello>['task'];

export const gdpPayment = z.object({
  request: z.object({ url: z.string().max(8_192) }),
  referrer: z.object({ text: z.string() }).nullish(),
  rail: z.literal('x402v2'),
  challenge: z.object({ accepts: z.array(z.unknown()).max(ACCEPTS_MAX), raw_body: z.unknown() }),
  history: z
    .array(z.object({ url: z.string(), amount_usd: z.number().nonnegative(), pay_to: z.string() }))
    .max(HISTORY_MAX),
});
export type GdpPayment = z.infer<typeof gdpPayment>;

/** One transfer in what is to be signed, as the driver decoded it. */
const leg = z.object({
  network: z.string(),
  asset: z.string(),
  from: z.string(),
  to: z.string(),
  amount_atomic: z.string(),
  valid: z.boolean().optional(),
  /** On Solana, where the money goes; `to` is then its owner, if the driver knows it. */
  to_token_account: z.string().optional(),
  authorization_seconds: z.number().optional(),
  authority_grant: z.boolean().optional(),
});
export type GdpLeg = z.infer<typeof leg>;

export const gdpSign = z.object({
  payload: z.union([
    z.object({
      typed_data: z.object({
        domain: z.object({ chainId: z.union([z.int(), z.string()]), verifyingContract: z.string() }),
        primaryType: z.string(),
        message: z.object({
          from: z.string(),
          to: z.string(),
          value: z.union([z.int(), z.string()]),
          validBefore: z.union([z.int(), z.string()]),
        }),
      }),
    }),
    z.object({ serialized_tx: z.string() }),
  ]),
  decoded_legs: z.array(leg).max(LEGS_MAX),
});
export type GdpSign = z.infer<typeof gdpSign>;

export type GdpAnswer =
  | {
      readonly id: number;
      readonly hooks: readonly ['payment', 'transfer', 'sign'];
      readonly name: string;
      readonly version: string;
      readonly nondeterministic: false;
    }
  | { readonly id: number; readonly decision: 'allow'; readonly accept_index?: number }
  | { readonly id: number; readonly decision: 'deny'; readonly reason: string };
