import { z } from 'zod';
import type { NeedsInput } from '../../core/input/needs-input.ts';
import { type MicroUsd, usdNumber } from '../../core/money/micro-usd.ts';
import type { LiveReceipt } from '../../core/receipt/live-receipt.ts';

/** Values that occur in many answers. */
export const verdict = z.enum(['pay', 'skip', 'recheck']);
export const probeMethod = z.enum(['GET', 'POST']);
export const checkType = z.enum(['dry-run', 'self-checked']);
export const moment = z.iso.datetime().describe('ISO 8601, UTC');
export const caip2 = z.string().describe('CAIP-2 network, such as eip155:8453');
export const usd = z.number().describe('US dollars');
export const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

export const usedInput = z
  .object({ source: z.enum(['caller', 'listing_example', 'listing_schema']), sha256 })
  .describe('The input that was sent, by its hash; null for the bare URL');

export const needsInput = z
  .object({
    method: probeMethod,
    status: z.int(),
    tried: z.enum(['bare', 'caller', 'listing_example', 'listing_schema']).describe('What was sent last'),
    missing: z.array(z.string()).describe('Names that the listing or the endpoint asks for'),
    example: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
      .nullable()
      .describe('From the listing'),
  })
  .describe('The endpoint wants input before it asks for payment');

/** What a receipt knows about input, under the names of the interface. */
export const inputMembers = {
  input: usedInput.nullable(),
  needs_input: needsInput.nullable(),
  other_method: probeMethod.nullable().describe('The method that the endpoint seems to want instead'),
};

export function inputJson({ input, needsInput: needs, otherMethod }: InputParts) {
  return {
    input,
    needs_input: needs === null ? null : needsInputJson(needs),
    other_method: otherMethod,
  };
}

export function needsInputJson(needs: NeedsInput): z.infer<typeof needsInput> {
  return { ...needs, missing: [...needs.missing] };
}

type InputParts = Pick<LiveReceipt, 'input' | 'needsInput' | 'otherMethod'>;

export function usdOrNull(amount: MicroUsd | null): number | null {
  return amount === null ? null : usdNumber(amount);
}
