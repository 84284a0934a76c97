import * as z from 'zod';
import { PACK_PRICE } from '../../core/limits.ts';
import { usdNumber } from '../../core/money/micro-usd.ts';
import { paidAccess } from './access.ts';
import { caip2 } from './shapes.ts';

const texts = z.record(z.string(), z.string());

/** The answer to the buyer of the pack; `settlement` repeats how it was paid (gap G89). */
export const packResponse = z.object({
  product: z.literal('overnight-cos-pack').describe('Id of the product.'),
  title: z.string().describe('Its title.'),
  price_usdc: z.number().describe('Its price in USDC.'),
  files: z
    .object({
      prompts: texts.describe('File name to text.'),
      templates: texts.describe('File name to HTML.'),
      guide: z
        .object({
          filename: z.string().describe('Name to save it under.'),
          content_type: z.literal('application/pdf').describe('Media type of the decoded data.'),
          encoding: z.literal('base64').describe('Encoding of data.'),
          data: z.string().describe('The PDF in base64.'),
        })
        .describe('The guide, a PDF.'),
    })
    .describe('What was bought.'),
  access: paidAccess
    .extend({
      settlement: z
        .object({
          success: z.literal(true).describe('The payment was settled.'),
          transaction: z.string().describe('Hash of the settlement transaction.'),
          network: caip2.describe('Network of the settlement, CAIP-2.'),
          payer: z.string().describe('Wallet that paid.'),
        })
        .describe('The settlement as in PAYMENT-RESPONSE.'),
    })
    .describe('How it was paid for.'),
});

export interface PackFiles {
  readonly prompts: Readonly<Record<string, string>>;
  readonly templates: Readonly<Record<string, string>>;
  /** A PDF. */
  readonly guide: Uint8Array;
}

/** The response without `access`. */
export function packGoodsJson({
  prompts,
  templates,
  guide,
}: PackFiles): Omit<z.infer<typeof packResponse>, 'access'> {
  return {
    product: 'overnight-cos-pack',
    title: 'Overnight Chief of Staff',
    price_usdc: usdNumber(PACK_PRICE),
    files: {
      prompts: { ...prompts },
      templates: { ...templates },
      guide: {
        filename: 'overnight-chief-of-staff.pdf',
        content_type: 'application/pdf',
        encoding: 'base64',
        data: Buffer.from(guide).toString('base64'),
      },
    },
  };
}
