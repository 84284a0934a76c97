import * as z from 'zod';
import { parseTargetUrl, type TargetUrl } from '../url/target-url.ts';
import { BASE } from '../x402/usdc-on-base.ts';
import { answerPath } from './answer-path.ts';

export const referenceName = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,39}$/, 'must be a short name of small letters, digits and _');

const webAddress = z.string().transform((text, context): TargetUrl => {
  const reading = parseTargetUrl(text);
  if (reading.kind === 'target') return reading.target;
  context.addIssue({ code: 'custom', message: `must be a public http(s) URL (${reading.fault})` });
  return z.NEVER;
});

const httpJson = z.strictObject({ kind: z.literal('http_json'), url: webAddress, path: answerPath });

/** A selector of four bytes and a handful of arguments. */
const CALL_DATA = /^0x(?:[0-9a-f]{2}){4,516}$/i;
const ADDRESS = /^0x[0-9a-f]{40}$/i;
const INTEGERS: ReadonlySet<string> = new Set(['uint256', 'int256']);

const ethCall = z
  .strictObject({
    kind: z.literal('eth_call'),
    network: z.literal(BASE),
    to: z.string().regex(ADDRESS, 'must be an address, 0x and 40 hex digits'),
    data: z.string().regex(CALL_DATA, 'must be 0x and the hex digits of a selector and its arguments'),
    returns: z.enum(['uint256', 'int256', 'address', 'bool', 'string']),
    /** The number of decimal places of an integer amount. */
    decimals: z.number().int().min(0).max(36).optional(),
  })
  .refine(({ returns, decimals }) => decimals === undefined || INTEGERS.has(returns), {
    path: ['decimals'],
    message: 'belong to an integer',
  });

const clock = z.strictObject({
  kind: z.literal('clock'),
  as: z.enum(['unix_seconds', 'unix_milliseconds', 'iso', 'iso_date']),
});

const tls = z
  .strictObject({
    kind: z.literal('tls'),
    host: z.string().max(253),
    port: z.number().int().min(1).max(65_535).default(443),
    field: z.enum(['valid_to', 'valid_from', 'days_left', 'fingerprint256', 'serial_number', 'issuer']),
  })
  .transform(({ kind, host, port, field }, context) => {
    const reading = parseTargetUrl(`https://${host}:${port}/`);
    // Text with a path or a user in it would parse, too, but as another host.
    if (reading.kind === 'target' && reading.target.host === host)
      return { kind, target: reading.target, field };
    context.addIssue({ code: 'custom', path: ['host'], message: 'must be a host name in small letters' });
    return z.NEVER;
  });

/** A source of right answers that is free and independent of the seller. */
export const reference = z.discriminatedUnion('kind', [httpJson, ethCall, clock, tls]);
