import * as z from 'zod';
import { parseMaxUsd } from '../../core/money/micro-usd.ts';
import { isHttpUrl, isOrigin } from './setting-checks.ts';

export const port = (message: string) =>
  z
    .string()
    .regex(/^[0-9]{1,5}$/, message)
    .transform(Number)
    .refine((number) => number <= 65_535, 'must be at most 65535');

export const publicAddress = z
  .string()
  .refine(isOrigin, 'must be an address such as https://assay.example.com, without a path')
  .transform((text) => new URL(text).origin);

export const limit = (fallback: number) =>
  z
    .string()
    .regex(/^[0-9]{1,9}$/, 'must be a whole number')
    .transform(Number)
    .default(fallback);

export const between = (least: number, most: number, fallback: number) =>
  limit(fallback).refine(
    (number) => number >= least && number <= most,
    `must be between ${least} and ${most}`,
  );

export const listOf = (isGood: (entry: string) => boolean, message: string) =>
  z
    .string()
    .transform((text) => text.split(/[\s,]+/).filter((entry) => entry !== ''))
    .refine((entries) => entries.every(isGood), message)
    .default([]);

/** Long enough not to be guessed. */
export const secret = z
  .string()
  .regex(/^[\x21-\x7e]{16,256}$/, 'must be 16 to 256 printable characters without blanks');

/** A path may be appended to it, so blanks that a URL may have around it are left out. */
export const address = z
  .string()
  .trim()
  .refine(isHttpUrl, 'must be an http or https URL without a user name, query or fragment');

/** With a blank too many it would be another folder, and an empty store. */
export const folder = z
  .string()
  .refine((name) => name !== '' && name === name.trim(), 'must be a folder, without blanks around its name');

export const database = z.string().regex(/^postgres(?:ql)?:\/\//, 'must begin with postgres://');

/** `Name: value` for any header, else the value of Authorization, where a bare token is a bearer token. */
export const facilitatorAuth = z
  .string()
  .regex(/^[\x20-\x7e]{1,4096}$/, 'must be printable characters')
  .transform((text): Readonly<Record<string, string>> => {
    const named = /^([A-Za-z0-9-]{1,64}): (.+)$/.exec(text);
    if (named?.[1] !== undefined && named[2] !== undefined) return { [named[1].toLowerCase()]: named[2] };
    return { authorization: text.includes(' ') ? text : `Bearer ${text}` };
  });

export const privateKey = z.custom<`0x${string}`>(
  (text) => typeof text === 'string' && /^0x[0-9a-fA-F]{64}$/.test(text),
  'must be a private key: 0x and 64 hexadecimal digits',
);

/** The private part of an Ed25519 key. */
export const seed = z
  .string()
  .regex(/^[0-9a-fA-F]{64}$/, 'must be 64 hexadecimal digits')
  .transform((text) => new Uint8Array(Buffer.from(text, 'hex')));

export const usd = z.string().transform((text, context) => {
  const amount = parseMaxUsd(text);
  if (amount !== null) return amount;
  context.addIssue({ code: 'custom', message: 'must be a plain decimal of USD, such as 0.10' });
  return z.NEVER;
});
