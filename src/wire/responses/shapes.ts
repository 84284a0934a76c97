import { z } from 'zod';
import { type MicroUsd, usdNumber } from '../../core/money/micro-usd.ts';

/** Values that occur in many answers. */
export const verdict = z.enum(['pay', 'skip', 'recheck']);
export const probeMethod = z.enum(['GET', 'POST']);
export const checkType = z.enum(['dry-run', 'self-checked']);
export const moment = z.iso.datetime().describe('ISO 8601, UTC');
export const caip2 = z.string().describe('CAIP-2 network, such as eip155:8453');
export const usd = z.number().describe('US dollars');
export const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

export function usdOrNull(amount: MicroUsd | null): number | null {
  return amount === null ? null : usdNumber(amount);
}
