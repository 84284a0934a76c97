import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { createSigner, wrapFetchWithPayment as wrapFetchOfVersion1 } from 'x402-fetch';
import { z } from 'zod';
import type { ProbeAnswer } from '../../../src/core/verdict/probe-outcome.ts';
import { PAYERS } from '../guarding/buyers/stock-payers.ts';

/** Clients as they are sold, with a wallet for every EVM network. Nothing leaves this process. */
const KEY = generatePrivateKey();

export interface Signed {
  readonly to: string;
  readonly value: string;
  readonly seconds: number;
}

export type PayingFetch = (fetch: typeof globalThis.fetch) => Promise<typeof globalThis.fetch>;

const version2: PayingFetch = async (fetch) =>
  wrapFetchWithPayment(
    fetch,
    new x402Client().register('eip155:*', new ExactEvmScheme(privateKeyToAccount(KEY))),
  );
/** Its own limits may be switched off, and then it signs more. */
const withoutLimits: PayingFetch = async (fetch) =>
  wrapFetchWithPayment(
    fetch,
    new x402Client()
      .register('eip155:*', new ExactEvmScheme(privateKeyToAccount(KEY)))
      .setSpendControls(false),
  );
const version1: PayingFetch = async (fetch) =>
  wrapFetchOfVersion1(fetch, await createSigner('base', KEY), 10n ** 30n);
/** Compares names without letter case. */
const faremeter: PayingFetch = async (fetch) => PAYERS.faremeter.pays(fetch, privateKeyToAccount(KEY));
const axios: PayingFetch = async (fetch) => PAYERS.x402Axios.pays(fetch, privateKeyToAccount(KEY));
export const CLIENTS = [version2, withoutLimits, version1, faremeter, axios];

const payload = z.object({
  payload: z.object({
    authorization: z.object({ to: z.string(), value: z.string(), validBefore: z.string() }),
  }),
});

/** What the client signs for this 402; null when it refuses, or signs no EIP-3009 authorization. */
export async function signedBy(
  paying: PayingFetch,
  { headers, body }: ProbeAnswer,
): Promise<Signed | 'other' | null> {
  const seen: { header: string | null } = { header: null };
  const seller: typeof globalThis.fetch = async (input, init) => {
    const sent = new Request(input, init).headers;
    seen.header ??= sent.get('payment-signature') ?? sent.get('x-payment');
    if (seen.header !== null) return new Response('{}', { status: 200 });
    return new Response(Buffer.from(body), {
      status: 402,
      headers: headers.map(([name, value]) => [name, value]),
    });
  };
  await (await paying(seller))('https://seller.example/pay').catch(() => null);
  if (seen.header === null) return null;
  const reading = payload.safeParse(JSON.parse(Buffer.from(seen.header, 'base64').toString()));
  if (!reading.success) return 'other';
  const { to, value, validBefore } = reading.data.payload.authorization;
  return { to, value, seconds: Number(validBefore) - Date.now() / 1_000 };
}
