import * as z from 'zod';
import { type MicroUsd, microUsd, parseUsdNumber } from '../../core/money/micro-usd.ts';
import { isAnyAddress } from '../../core/x402/address.ts';
import { mainnetOf, parseNetwork } from '../../core/x402/networks.ts';

/** The payment that may be signed, as the service wrote it. */
export interface Approved {
  /** Also the atomic units of USDC. */
  readonly price: MicroUsd;
  readonly network: string;
  readonly payTo: string;
  readonly deadline: Date;
}

// The service may be newer or older than this program: missing or invalid members are not shown, the rest is.
export const text = z.string().nullable().catch(null);
export const usd = z
  .number()
  .transform((value) => parseUsdNumber(value))
  .nullable()
  .catch(null);
export const instant = z.iso
  .datetime()
  .transform((value) => new Date(value))
  .nullable()
  .catch(null);
export const verdict = z.enum(['pay', 'skip', 'recheck']);
export const source = z.enum(['request', 'listing']).nullable().catch(null);
export const probe = z
  .object({ probed_at: instant, cached: z.boolean().catch(false) })
  .catch({ probed_at: null, cached: false });
/** Terms to sign are shown only if they have the form of a payment. */
export const payment = z
  .object({
    network: z.string().refine((name) => mainnetOf(parseNetwork(name)) !== null),
    amount: z.object({ atomic: z.string().regex(/^[1-9][0-9]{0,17}$/) }),
    pay_to: z.string().refine(isAnyAddress),
    deadline: z.iso.datetime().transform((value) => new Date(value)),
  })
  .transform(({ network, amount, pay_to: payTo, deadline }): Approved => {
    // USDC has six decimals on every supported network, so atomic units are micro-USD.
    return { network, payTo, deadline, price: microUsd(BigInt(amount.atomic)) };
  })
  .nullable()
  .catch(null);
