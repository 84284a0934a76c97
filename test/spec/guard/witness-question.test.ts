import { describe, expect, it } from 'vitest';
import { microUsd } from '../../../src/core/money/micro-usd.ts';
import { type AskOptions, askService, type Question } from '../../../src/guard/witness/ask-service.ts';
import { THIEF } from '../../../tools/samples/challenge.ts';
import { BASE_URL, NOON } from '../../support/running/running-service.ts';

const now = () => NOON;

function question(changes: Partial<Question>): Question {
  return { url: 'http://seller.example/', method: 'GET', termsSha256s: [], ...changes };
}

const nothing = async () => new Response('{}', { status: 404 });

describe('asking nobody', () => {
  it.each<[string, Partial<AskOptions>, Partial<Question>]>([
    ['a method that it does not probe', {}, { method: 'DELETE' }],
    ['a password in the URL', {}, { url: 'https://user:hunter2@seller.example/' }],
    ['a user name in the URL', {}, { url: 'https://hunter2@seller.example/' }],
    ['no URL', {}, { url: 'seller.example' }],
    ['another scheme', {}, { url: 'ftp://seller.example/' }],
    ['a service without an address', { service: 'assay.example' }, {}],
  ])('%s', async (_, options, changes) => {
    const fetch = async () => {
      throw new Error('a request was sent');
    };
    expect(await askService({ service: BASE_URL, now, fetch, ...options }, question(changes))).toEqual({
      kind: 'unavailable',
      cause: 'not_askable',
    });
  });
});

describe('what the service is told', () => {
  it.each([
    'https://seller.example/a?api_key=hunter2hunter2',
    'https://seller.example/a/sk-live-4eC39HqLyjWDarjtT1zdp7dc4eC39HqLyj',
  ])('nothing about a URL with a credential: %s', async (url) => {
    const fetch = async () => {
      throw new Error('a request was sent');
    };
    const answer = await askService({ service: BASE_URL, now, fetch }, question({ url }));
    expect(answer).toEqual({ kind: 'unavailable', cause: 'secret_in_url' });
  });

  it.each([
    'https://seller.example/a?filter={"key":"status","value":"open"}',
    'https://seller.example/a?where={"session":"summer"}',
    'https://seller.example/a?q=film review secret: identity',
    'https://seller.example/a?q=jwt authentication: an overview',
    'https://seller.example/a?q=how do I reset my password: step by step',
  ])('the URL with a word under the name of a credential: %s', async (url) => {
    const asked: string[] = [];
    const fetch: typeof globalThis.fetch = async (input) => {
      asked.push(new URL(String(input)).searchParams.get('url') ?? '');
      return nothing();
    };
    await askService({ service: BASE_URL, now, fetch }, question({ url }));
    expect(asked).toEqual([new URL(url).href, new URL(url).href]);
  });

  it('the URL without its fragment, the method, what is expected, and who asks', async () => {
    const urls: URL[] = [];
    const fetch: typeof globalThis.fetch = async (input) => {
      urls.push(new URL(String(input)));
      return nothing();
    };
    await askService(
      { service: `${BASE_URL}/assay/`, now, fetch },
      question({
        url: 'https://seller.example/a?b=c#d',
        method: 'POST',
        expected: { price: microUsd(20_000n), payTo: THIEF },
      }),
    );
    expect(urls.map(({ pathname }) => pathname)).toEqual([
      '/assay/v1/receipts/by-url',
      '/assay/v1/products/endpoint-spot-check',
    ]);
    expect(urls.map(({ searchParams }) => Object.fromEntries(searchParams))).toEqual([
      { url: 'https://seller.example/a?b=c' },
      {
        url: 'https://seller.example/a?b=c',
        method: 'POST',
        client: 'assay-guard',
        claimed_price: '0.02',
        pay_to: THIEF,
      },
    ]);
  });
});
