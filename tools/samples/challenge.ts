import type { ProbeAnswer } from '../../src/core/verdict/probe-outcome.ts';

export const PAYEE = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C';
export const THIEF = '0x857b06519E91e3A54538791bDbb0E22373e36b66';
export const USDC_ON_BASE = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
export const BASE = 'eip155:8453';

/** An honest version 2 entry: one cent of USDC on Base. */
export const ENTRY = {
  scheme: 'exact',
  network: BASE,
  amount: '10000',
  asset: USDC_ON_BASE,
  payTo: PAYEE,
  maxTimeoutSeconds: 60,
  extra: { name: 'USD Coin', version: '2' },
} as const;

/** The same price to the same payee, on Polygon. */
export const POLYGON = {
  ...ENTRY,
  network: 'eip155:137',
  asset: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
} as const;

const { amount: maxAmountRequired, ...rest } = ENTRY;
export const ENTRY_V1 = { ...rest, network: 'base', maxAmountRequired } as const;

export function header(document: unknown): [string, string] {
  return ['PAYMENT-REQUIRED', base64(JSON.stringify(document))];
}

export function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

/** A 402 with these entries in its version 2 header. */
export function paywall(entries: readonly unknown[], changes: Partial<ProbeAnswer> = {}): ProbeAnswer {
  return answered({ headers: [header({ x402Version: 2, accepts: entries })], ...changes });
}

/** A 402 with this text as its body. */
export function bodyOnly(text: string): ProbeAnswer {
  return answered({ body: new TextEncoder().encode(text) });
}

export function answered(changes: Partial<ProbeAnswer> = {}): ProbeAnswer {
  return {
    kind: 'answered',
    status: 402,
    headers: [],
    body: new Uint8Array(),
    bodyComplete: true,
    ...changes,
  };
}
