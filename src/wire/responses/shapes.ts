import * as z from 'zod';
import type { NeedsInput } from '../../core/input/needs-input.ts';
import { type MicroUsd, usdNumber } from '../../core/money/micro-usd.ts';
import type { LiveReceipt } from '../../core/receipt/live-receipt.ts';

/** A closed list. Its description gives the meaning of each value. */
export function closedList<Value extends string>(about: string, meanings: Readonly<Record<Value, string>>) {
  // The keys of the record are exactly the values.
  const values = Object.keys(meanings) as Value[];
  const explained = values.map((value) => `${value}: ${meanings[value]}`).join('; ');
  return z.enum(values).describe(`${about} ${explained}.`);
}

/** Values that occur in many answers. A value without a description gets one where it is used. */
export const verdict = closedList('Whether to pay.', {
  pay: 'the live 402 matches what was expected',
  skip: 'do not pay; something differs, cannot be read, or there is no paywall',
  recheck: 'no decision; check again later',
});
export const probeMethod = z.enum(['GET', 'POST']).describe('HTTP method of the probe.');
export const checkType = closedList('The kind of caller, not the mode of the check.', {
  'dry-run': 'a caller of this service, in either mode',
  'self-checked': 'the service itself',
});
export const moment = z.iso.datetime();
export const caip2 = z.string();
export const usd = z.number();
export const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** A buyer computes it from what it is about to sign, and compares. */
export const termsSha256 = sha256
  .nullable()
  .describe(
    'SHA-256 in hex of network|asset|amount_atomic|pay_to, all in lower case; null unless a live check ended in pay.',
  );

const INPUT_SOURCES = {
  caller: 'the input of the request',
  listing_example: 'the example in the listing',
  listing_schema: "values made from the listing's schema",
};

export const usedInput = z
  .object({
    source: closedList('Where the input came from.', INPUT_SOURCES),
    sha256: sha256.describe('SHA-256 of the input as it was sent.'),
  })
  .describe('The input that was sent with the probe, by its hash.');

export const needsInput = z
  .object({
    method: probeMethod,
    status: z.int().describe('HTTP status of the last answer.'),
    tried: closedList('What was sent last.', { bare: 'the URL without input', ...INPUT_SOURCES }),
    missing: z.array(z.string()).describe('Names that the listing or the endpoint asks for.'),
    example: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
      .nullable()
      .describe('Example input of the listing; null if it has none.'),
  })
  .describe('The endpoint requires input before it asks for payment.');

/** What a receipt knows about input, under the names of the interface. */
export const inputMembers = {
  input: usedInput.nullable().describe('The input that was sent with the probe; null for the bare URL.'),
  needs_input: needsInput
    .nullable()
    .describe('What the endpoint requires before it asks for payment; null if nothing.'),
  other_method: probeMethod
    .nullable()
    .describe('The method that the endpoint seems to require instead; null if none.'),
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
