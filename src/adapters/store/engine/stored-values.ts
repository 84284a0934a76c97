import * as z from 'zod';
import { DIAGNOSTICS, type Diagnostic, type DiagnosticCode } from '../../../core/diagnose/diagnostic.ts';
import type { ListedInput, UsedInput } from '../../../core/input/listed-input.ts';
import type { NeedsInput } from '../../../core/input/needs-input.ts';
import { type MicroUsd, microUsd } from '../../../core/money/micro-usd.ts';
import type { Demand } from '../../../core/x402/demand.ts';
import { type Caip2, parseNetwork } from '../../../core/x402/networks.ts';
import type { Offer } from '../../../core/x402/offer.ts';
import { parseUint256 } from '../../../core/x402/uint256.ts';

/**
 * JSON in the spelling that the codecs below read. Without their checks, which cost more than all the rest of storing a value:
 * the compiler checks the shape of what we write, and the reader refuses whatever has another one.
 */
export function jsonOf(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'bigint' ? member.toString() : member,
  );
}

/** Values that JSON does not have. Each has one spelling; any other is refused. */
const storedBigint = z.codec(z.string(), z.bigint(), {
  decode: (text, { issues }) => {
    const value = parseUint256(text);
    if (value !== null) return value;
    issues.push({ code: 'custom', message: 'not a whole number', input: text });
    return z.NEVER;
  },
  encode: (value) => value.toString(),
});

export const storedMoney = z.codec(
  storedBigint,
  z.custom<MicroUsd>((value) => typeof value === 'bigint' && value >= 0n),
  { decode: microUsd, encode: (value) => value },
);

/** Money in a column that is summed: the sum must stay a safe integer in JavaScript. */
export function countedMoney(amount: MicroUsd): number {
  if (amount > COUNTED_MAX) throw new Error(TOO_MUCH_MONEY);
  return Number(amount);
}

const COUNTED_MAX = BigInt(Number.MAX_SAFE_INTEGER);
export const TOO_MUCH_MONEY = 'the store counts money only up to 2^53 millionths of a dollar';

export const storedNetwork = z.codec(
  z.string(),
  z.custom<Caip2>((value) => typeof value === 'string'),
  {
    decode: (text, { issues }) => {
      const network = parseNetwork(text);
      if (network !== null && network === text) return network;
      issues.push({ code: 'custom', message: 'not a network in CAIP-2 form', input: text });
      return z.NEVER;
    },
    encode: (network) => network,
  },
);

const claim = {
  price: storedMoney.nullable(),
  payTo: z.string().nullable(),
  network: storedNetwork.nullable(),
};
export const storedClaim = z.strictObject(claim);
export const storedListing = z.strictObject({ ...claim, sourceList: z.string() });

export const storedMethod = z.enum(['GET', 'POST']);

const storedValues = z.strictObject({
  query: z.array(z.tuple([z.string(), z.string()]).readonly()).readonly(),
  body: z.string().nullable(),
});

export const storedInput = z.strictObject({
  method: storedMethod.nullable(),
  example: storedValues.nullable(),
  built: storedValues.nullable(),
  path: z.array(z.tuple([z.string(), z.string()]).readonly()).readonly(),
  required: z.array(z.string()).readonly(),
}) satisfies z.ZodType<ListedInput>;

export const storedUsedInput = z.strictObject({
  source: z.enum(['caller', 'listing_example', 'listing_schema']),
  sha256: z.string(),
}) satisfies z.ZodType<UsedInput>;

export const storedNeedsInput = z.strictObject({
  method: storedMethod,
  status: z.int(),
  tried: z.enum(['bare', 'caller', 'listing_example', 'listing_schema']),
  missing: z.array(z.string()).readonly(),
  example: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).nullable(),
}) satisfies z.ZodType<NeedsInput>;

export const storedTime = z.codec(z.iso.datetime({ precision: 3 }), z.date(), {
  decode: (text) => new Date(text),
  encode: (time) => time.toISOString(),
});

const storedTransfer = z.enum(['ordinary', 'too_long', 'other_method']);

export const storedOffer = z
  .strictObject({
    scheme: z.string(),
    network: storedNetwork.nullable(),
    asset: z.string(),
    amountAtomic: storedBigint,
    payTo: z.string(),
    maxTimeoutSeconds: z.int().nullable(),
    validBeforeMs: z.int().nullable(),
    selfContradictory: z.boolean(),
    // Absent in receipts from before there was a rule about it.
    transfer: storedTransfer.default('ordinary'),
  })
  .readonly() satisfies z.ZodType<Offer>;

export const storedDemand = z
  .strictObject({
    chain: z.enum(['evm', 'solana']),
    payTo: z.string().nullable(),
    network: storedNetwork.nullable(),
    asset: z.string().nullable(),
    amountAtomic: storedBigint.nullable(),
    transfer: storedTransfer,
  })
  .readonly() satisfies z.ZodType<Demand>;

export const storedEvidence = z
  .strictObject({ paymentRequiredSha256: z.string().nullable(), bodySha256: z.string().nullable() })
  .readonly();

const storedDiagnostic = z
  .strictObject({
    code: z.custom<DiagnosticCode>((value) => typeof value === 'string' && Object.hasOwn(DIAGNOSTICS, value)),
    source: z.enum(['answer', 'header', 'body']),
    path: z.string().nullable(),
  })
  .readonly() satisfies z.ZodType<Diagnostic>;

export const storedDiagnostics = z.array(storedDiagnostic).readonly();

export const storedFreeTrial = z.strictObject({ remaining: z.int().nullable() }).readonly();

/** As pairs: an object would lose the key `__proto__` and the order of keys that look like integers. */
export function storedMap<T>(value: z.ZodType<T>) {
  return z.codec(
    z.array(z.tuple([z.string(), value])),
    z.custom<ReadonlyMap<string, T>>((map) => map instanceof Map),
    {
      decode: (pairs) => new Map(pairs),
      encode: (map) => [...map],
    },
  );
}
