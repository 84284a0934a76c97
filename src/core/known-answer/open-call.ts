import * as z from 'zod';
import { parseJson } from '../x402/read-json.ts';
import type { PaidCall } from './paid-call.ts';

/** A call whose settlement is not known yet: what was signed, and the result if there is one. */
export interface OpenCall {
  /** The payment document as text, to ask the chain again. */
  readonly payment: string;
  readonly result: CallResult | null;
}

export type CallResult = Pick<
  PaidCall,
  'delivered' | 'quality' | 'qualityReason' | 'httpStatus' | 'latencyMs'
> & { readonly bodySha256: string | null; readonly body: string | null };

const openCall = z.strictObject({
  payment: z.string(),
  result: z
    .strictObject({
      delivered: z.boolean(),
      quality: z.enum(['pass', 'fail', 'not_graded']),
      qualityReason: z.string(),
      httpStatus: z.int().nullable(),
      latencyMs: z.int().nullable(),
      bodySha256: z.string().nullable(),
      body: z.string().nullable(),
    })
    .nullable(),
});

export function noteOf(call: OpenCall): string {
  return JSON.stringify(call);
}

/** Null for an unreadable note. */
export function readNote(note: string): OpenCall | null {
  const parsed = openCall.safeParse(parseJson(note));
  return parsed.success ? parsed.data : null;
}
