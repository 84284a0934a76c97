import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { createSigner, wrapFetchWithPayment as wrapFetchOfVersion1 } from 'x402-fetch';
import type { ProbeAnswer } from '../../../../src/core/verdict/probe-outcome.ts';
import { createGuard, type Guard, type GuardOptions, memoryLedger } from '../../../../src/guard/index.ts';
import { ENTRY, paywall } from '../../../../tools/samples/challenge.ts';

type Fetch = typeof globalThis.fetch;

/** One request as the seller saw it. */
export interface SeenRequest {
  readonly url: string;
  readonly headers: Headers;
  readonly body: string;
  readonly payment: PaidDocument | null;
}

export interface PaidDocument {
  readonly x402Version: number;
  readonly accepted?: { readonly [member: string]: unknown };
  readonly extensions?: { readonly [member: string]: unknown };
  readonly payload: {
    readonly signature: string;
    readonly authorization: {
      readonly to: string;
      readonly value: string;
      readonly validBefore: string;
      readonly nonce: string;
    };
  };
}

export type Answering = (request: SeenRequest, paidBefore: number) => Response | Promise<Response>;

export interface InProcessSeller {
  readonly seen: SeenRequest[];
  readonly fetch: Fetch;
  /** The different payments that arrived: each could have been settled. */
  payments(): number;
}

export const GOODS = '{"answer":42}';
export const goods: Answering = () =>
  new Response(GOODS, { headers: { 'content-type': 'application/json' } });

export function responseOf({ headers, body }: Pick<ProbeAnswer, 'headers' | 'body'>): Response {
  return new Response(Buffer.from(body), {
    status: 402,
    headers: headers.map(([name, value]) => [name, value]),
  });
}

/** Nothing leaves the process; what was signed is real. */
export function inProcessSeller(
  challenge: ProbeAnswer | (() => ProbeAnswer) = paywall([ENTRY]),
  paid: Answering = goods,
): InProcessSeller {
  const seen: SeenRequest[] = [];
  return {
    seen,
    payments: () =>
      new Set(seen.flatMap(({ payment }) => (payment === null ? [] : [payment.payload.authorization.nonce])))
        .size,
    async fetch(input, init) {
      const request = new Request(input, init);
      const header = request.headers.get('payment-signature') ?? request.headers.get('x-payment');
      const one: SeenRequest = {
        url: request.url,
        headers: request.headers,
        body: await request.text(),
        payment: header === null ? null : documentIn(header),
      };
      const paidBefore = seen.filter(({ payment }) => payment !== null).length;
      seen.push(one);
      if (one.payment !== null) return paid(one, paidBefore);
      return responseOf(typeof challenge === 'function' ? challenge() : challenge);
    },
  };
}

function documentIn(header: string): PaidDocument {
  // Written by the payers under test, and only compared.
  return JSON.parse(Buffer.from(header, 'base64').toString()) as PaidDocument;
}

export const BUYER = privateKeyToAccount(generatePrivateKey());

export function payer(fetch: Fetch, network: `${string}:${string}` = 'eip155:*'): Fetch {
  return wrapFetchWithPayment(
    fetch,
    new x402Client().setSpendControls(false).register(network, new ExactEvmScheme(BUYER)),
  );
}

export async function payerOfVersion1(fetch: Fetch): Promise<Fetch> {
  return wrapFetchOfVersion1(fetch, await createSigner('base', generatePrivateKey()), 10n ** 30n);
}

export const LIMITS = { perPayment: '1', perDay: '5' } as const;

export function guardFor(seller: Pick<InProcessSeller, 'fetch'>, options: Partial<GuardOptions> = {}): Guard {
  return createGuard({ ledger: memoryLedger(), limits: LIMITS, fetch: seller.fetch, ...options });
}
