import type { z } from 'zod';
import { BASE, BASE_USDC } from '../../../core/x402/usdc-on-base.ts';
import type { paymentObject } from '../../payment/payment-object.ts';

/** Endpoint, wallets and time that all examples share. */
export const ENDPOINT = 'https://api.example.com/v1/weather';
export const SELLER = '0x1111111111111111111111111111111111111111';
export const BUYER = '0x2222222222222222222222222222222222222222';
export const WALLET = '0x3333333333333333333333333333333333333333';
export const NETWORK = BASE;
export const USDC = BASE_USDC;
export const TX = '0xe3a1f5cbd9c1a8b7f4e2d3c6b5a4978812fe34dc56ba7890e3a1f5cbd9c1a8b7';
export const EXPLORER = `https://basescan.org/tx/${TX}`;
export const CHECKED_AT = '2026-11-15T12:00:00.000Z';
export const LIVE_ID = 'sc-00010203fcfdfeff';
export const CRAWL_ID = '0a1b2c3d4e';

/** SHA-256 of the terms below, as the interface defines it. */
export const TERMS_SHA256 = '0c271d2bc5ce4dfeb20be3246b101fc3708540990b092c74a9a2856ddf13f4e0';

export const PAYMENT: z.infer<typeof paymentObject> = {
  network: NETWORK,
  asset: USDC,
  amount: { atomic: '10000', usd: 0.01 },
  pay_to: SELLER,
  deadline: '2026-11-15T12:01:00.000Z',
  deadline_source: 'maxTimeoutSeconds',
  max_timeout_seconds: 60,
  scheme: 'exact',
  asset_is_usdc: true,
  amount_atomic: '10000',
  amount_usd: 0.01,
};

export const RECEIPT_SHA256 = '04fe7aba49aae757c4eb0055b9a8c01f92889599e990560a5c456aa59a9d0507';
export const RECEIPT_PROMISE = `assay promise v1
assay.example.org/log
${LIVE_ID}
BP56ukmq51fE6wBVuajAH5KIlZnpkFYKXEVqpZqdBQc=
2026-11-16T14:51:53Z

— assay.example.org/promises AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=
`;
export const TREE_ROOT = 'CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=';
