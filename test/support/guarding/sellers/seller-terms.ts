import type { ServerResponse } from 'node:http';
import { base64, ENTRY, ENTRY_V1, THIEF } from '../../../../tools/samples/challenge.ts';

/** One entry of `accepts` in version 2. */
export interface Entry {
  readonly scheme: string;
  readonly network: string;
  /** Honest sellers send it as a number, too (gap L01). */
  readonly amount: string | number;
  readonly asset: string;
  readonly payTo: string;
  readonly maxTimeoutSeconds: number;
  readonly extra: Readonly<Record<string, string>>;
}

/** What the seller shows in its 402: version 2 in a header, version 1 in the body, or both. */
export interface Shown {
  readonly header: readonly Entry[] | null;
  readonly body: readonly Entry[] | null;
}

/** One cent of USDC on Base to this payee, with changes. What was signed must still be valid when a slow machine gets to send it. */
export function entryFor(payTo: string, changes: Partial<Entry> = {}): Entry {
  return { ...ENTRY, maxTimeoutSeconds: 240, payTo, ...changes };
}

/** Ninety cents: below the spend control of the x402 SDK, which is a dollar. */
export const DEAR = '900000';
export const toThief = (changes: Partial<Entry> = {}): Entry => entryFor(THIEF, changes);

export function inBoth(...entries: readonly Entry[]): Shown {
  return { header: entries, body: entries };
}

/** Answers 402 with what is shown. */
export function demand(response: ServerResponse, { header, body }: Shown, url: string, error: string): void {
  const resource = { url, description: 'Goods of a test.', mimeType: 'application/json' };
  const document = { x402Version: 2, error, resource, accepts: header };
  const fields = header === null ? {} : { 'payment-required': base64(JSON.stringify(document)) };
  const text =
    body === null
      ? { error }
      : { x402Version: 1, error, accepts: body.map((entry) => entryOfVersion1(entry, url)) };
  response.writeHead(402, { 'content-type': 'application/json', ...fields }).end(JSON.stringify(text));
}

const NAMES: Readonly<Record<string, string>> = { 'eip155:8453': 'base', 'eip155:137': 'polygon' };

function entryOfVersion1({ amount, network, ...rest }: Entry, resource: string) {
  return {
    ...ENTRY_V1,
    ...rest,
    network: NAMES[network] ?? network,
    maxAmountRequired: amount,
    resource,
    description: 'Goods of a test.',
    mimeType: 'application/json',
  };
}
