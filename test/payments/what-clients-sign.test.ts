import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { createSigner, wrapFetchWithPayment as wrapFetchOfVersion1 } from 'x402-fetch';
import { z } from 'zod';
import type { ProbeAnswer } from '../../src/core/verdict/probe-outcome.ts';
import { BASE, PAYEE } from '../../tools/samples/challenge.ts';
import { LISTED } from '../../tools/samples/listed.ts';
import { PAYERS } from '../support/guarding/buyers/stock-payers.ts';
import { NOTHING, verdictOf } from '../support/judging.ts';
import { HONEST, HOSTILE } from '../support/stock-challenges.ts';

/** Clients as they are sold, with a wallet for every EVM network. Nothing leaves this process. */
const KEY = generatePrivateKey();

interface Signed {
  readonly to: string;
  readonly value: string;
  readonly seconds: number;
}

type PayingFetch = (fetch: typeof globalThis.fetch) => Promise<typeof globalThis.fetch>;

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
const CLIENTS = [version2, withoutLimits, version1, faremeter];

const payload = z.object({
  payload: z.object({
    authorization: z.object({ to: z.string(), value: z.string(), validBefore: z.string() }),
  }),
});

/** What the client signs for this 402; null when it refuses, or signs no EIP-3009 authorization. */
async function signedBy(
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

describe('what stock clients sign (G95, G96)', () => {
  it.each(HOSTILE)('is not approved: %s', async (_, answer) => {
    for (const claim of [LISTED, NOTHING]) {
      expect(verdictOf(answer, claim)).toMatchObject({ verdict: 'skip', reason: 'bad_challenge' });
    }
  });

  it.each(HONEST)('is what was approved: %s', async (_, answer) => {
    const verdict = verdictOf(answer);
    if (verdict.verdict !== 'pay') throw new Error(JSON.stringify(verdict, (_key, v) => String(v)));
    expect(verdict.terms).toMatchObject({ network: BASE, payTo: PAYEE, amountAtomic: 10_000n });
    const signed = (await Promise.all(CLIENTS.map((client) => signedBy(client, answer)))).filter(
      (one) => one !== null,
    );
    expect(signed.length).toBeGreaterThan(0);
    for (const one of signed) {
      if (one === 'other') throw new Error('another kind of payment was signed');
      expect([one.to.toLowerCase(), one.value]).toEqual([PAYEE.toLowerCase(), '10000']);
      expect(one.seconds).toBeLessThanOrEqual(verdict.terms.maxTimeoutSeconds ?? 0);
    }
  });

  it('would be something else for the hostile ones: the clients do sign them', async () => {
    const signed = await Promise.all(
      HOSTILE.flatMap(([, answer]) => CLIENTS.map((client) => signedBy(client, answer))),
    );
    const wrong = signed.filter(
      (one) =>
        one !== null &&
        (one === 'other' || one.to !== PAYEE || one.value !== '10000' || one.seconds > 86_400),
    );
    expect(wrong.length).toBeGreaterThanOrEqual(30);
  });
});
