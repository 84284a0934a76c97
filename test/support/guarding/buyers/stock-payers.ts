import { wrap as wrapFetchOfFaremeter } from '@faremeter/fetch';
import { createPaymentHandler } from '@faremeter/payment-evm/exact';
import { wrapAxiosWithPayment, x402Client as x402ClientOfAxios } from '@x402/axios';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import axios, { type AxiosResponse, isAxiosError } from 'axios';
import { type Chain, createWalletClient, type Hex, http, publicActions } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { base } from 'viem/chains';
import { wrapFetchWithPayment as wrapFetchOfVersion1 } from 'x402-fetch';

type Fetch = typeof globalThis.fetch;

/** A payer as it is sold, with its defaults, over the fetch that it is given. */
export interface StockPayer {
  readonly name: string;
  readonly pays: (fetch: Fetch, account: PrivateKeyAccount) => Fetch;
}

const NAMED = {
  x402Fetch: {
    name: '@x402/fetch 2.27',
    pays: (fetch, account) =>
      wrapFetchWithPayment(fetch, new x402Client().register('eip155:*', new ExactEvmScheme(account))),
  },
  x402FetchV1: {
    name: 'x402-fetch 1.2',
    pays(fetch, account) {
      // What its createSigner makes of a key. Nothing listens there, and signing asks nobody.
      const transport = http('http://127.0.0.1:9');
      const chain: Chain = base;
      const signer = createWalletClient({ account, chain, transport }).extend(publicActions);
      return wrapFetchOfVersion1(fetch, signer);
    },
  },
  x402Axios: {
    name: '@x402/axios 2.11',
    pays(fetch, account) {
      const client = new x402ClientOfAxios().register('eip155:*', new ExactEvmScheme(account));
      const instance = wrapAxiosWithPayment(axios.create({ adapter: 'fetch', env: { fetch } }), client);
      return async (input, init = {}) => {
        const { url, method } = new Request(input, init);
        const headers = Object.fromEntries(new Headers(init.headers));
        const answer = await instance
          .request({ url, method, headers, ...(init.body == null ? {} : { data: init.body }) })
          .catch(answerOf);
        return responseOf(answer);
      };
    },
  },
  faremeter: {
    name: '@faremeter/fetch 0.22',
    pays(fetch, account) {
      const wallet = { chain: { id: 8_453, name: 'Base' }, address: account.address, account };
      return wrapFetchOfFaremeter(fetch, { handlers: [createPaymentHandler(wallet)] });
    },
  },
} satisfies Readonly<Record<string, StockPayer>>;

export type PayerName = keyof typeof NAMED;
export const PAYERS: Readonly<Record<PayerName, StockPayer>> = NAMED;

/** A wallet that counts what it signs. */
export function countingWallet(key: Hex): { readonly account: PrivateKeyAccount; signatures(): number } {
  const account = privateKeyToAccount(key);
  let signatures = 0;
  const signTypedData: PrivateKeyAccount['signTypedData'] = (typed) => {
    signatures += 1;
    return account.signTypedData(typed);
  };
  return { account: { ...account, signTypedData }, signatures: () => signatures };
}

/** axios rejects with an answer that is not 2xx; fetch does not. */
function answerOf(error: unknown): AxiosResponse<unknown> {
  if (isAxiosError(error) && error.response !== undefined) return error.response;
  throw error;
}

function responseOf({ data, status, headers }: AxiosResponse<unknown>): Response {
  const body = typeof data === 'string' ? data : JSON.stringify(data);
  return new Response(body, { status, headers: new Headers(Object.entries(headers).map(textual)) });
}

const textual = ([name, value]: [string, unknown]): [string, string] => [name, String(value)];
