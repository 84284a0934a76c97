import { z } from 'zod';
import { paidAccess } from './access.ts';
import { caip2 } from './shapes.ts';

const texts = z.record(z.string(), z.string());

/** What the buyer of the pack gets; `settlement` repeats how it was paid (gap G89). */
export const packResponse = z.object({
  product: z.literal('overnight-cos-pack'),
  title: z.string(),
  price_usdc: z.number(),
  files: z.object({
    prompts: texts.describe('File name to text'),
    templates: texts.describe('File name to HTML'),
    guide: z.object({
      filename: z.string(),
      content_type: z.literal('application/pdf'),
      encoding: z.literal('base64'),
      data: z.string(),
    }),
  }),
  access: paidAccess.extend({
    settlement: z.object({
      success: z.literal(true),
      transaction: z.string(),
      network: caip2,
      payer: z.string(),
    }),
  }),
});
