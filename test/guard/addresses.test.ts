import { Request as OtherRequest } from 'undici';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Guard, GuardOptions } from '../../src/guard/index.ts';
import { ENTRY, header } from '../../tools/samples/challenge.ts';
import { signed } from '../support/guarding/mcp/scripted-mcp-client.ts';
import { GOODS, guardFor, inProcessSeller } from '../support/guarding/sellers/in-process-seller.ts';

const PAYMENT_REQUIRED = { x402Version: 2, resource: { url: '/paid' }, accepts: [ENTRY] };
const asks402 = () => new Response('', { status: 402, headers: [header(PAYMENT_REQUIRED)] });

/** What a payer puts into PAYMENT-SIGNATURE for the 402 that it was shown. */
async function paymentFor(shown: Response): Promise<string> {
  const required = JSON.parse(atob(shown.headers.get('payment-required') ?? ''));
  return btoa(JSON.stringify(await signed(required)));
}

/** A fetch below the guard that makes of an address what it likes, and what has reached it. */
function answering(answer: () => Response, options: Partial<GuardOptions> = {}) {
  const reached: Headers[] = [];
  const fetch = async (_: unknown, init?: RequestInit) => {
    reached.push(new Headers(init?.headers));
    return answer();
  };
  return { guard: guardFor({ fetch }, options), reached };
}

/** As programs without types may call it. */
const call = (guard: Guard, input: unknown, init?: RequestInit) => guard.fetch(input as string, init);

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('a relative URL is judged as what the platform makes of it', () => {
  it.each<[string, object, string]>([
    ['of a page', { location: { href: 'https://seller.example/shop/' } }, 'https://seller.example/shop/paid'],
    [
      'of a page with another base',
      { document: { baseURI: 'https://seller.example/' }, location: { href: 'https://app.example/' } },
      'https://seller.example/paid',
    ],
    [
      'of a frame without an address of its own',
      { document: { baseURI: 'https://seller.example/' }, location: { href: 'about:srcdoc' } },
      'https://seller.example/paid',
    ],
  ])('%s', async (_, globals, url) => {
    for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
    const seller = inProcessSeller();
    const guard = guardFor(seller, { hosts: ['seller.example'] });
    const headers = { 'PAYMENT-SIGNATURE': await paymentFor(await guard.fetch('paid')) };
    expect(await (await guard.fetch('paid', { headers })).text()).toBe(GOODS);
    expect(seller.seen.map((request) => request.url)).toEqual([url, url]);
    expect(await guard.purchases()).toMatchObject([{ url, host: 'seller.example', state: 'delivered' }]);
  });

  it.each<[string, unknown]>([
    ['a path', '/paid'],
    ['a scheme without a host, which is a path as well', 'https:paid'],
    ['a host without a scheme', '//app.example/paid'],
  ])('against the allowed hosts: %s', async (_, address) => {
    vi.stubGlobal('location', { href: 'https://app.example/' });
    const { guard } = answering(asks402, { hosts: ['seller.example', 'paid'] });
    await expect(call(guard, address)).rejects.toMatchObject({ code: 'host_not_allowed' });
  });

  it('an absolute URL stays what it is', async () => {
    vi.stubGlobal('location', { href: 'https://app.example/' });
    const seller = inProcessSeller();
    expect((await guardFor(seller).fetch('https://seller.example/paid#top')).status).toBe(402);
    expect(seller.seen[0]?.url).toBe('https://seller.example/paid#top');
  });

  it.each<[string, object]>([
    [
      'throws',
      {
        get href() {
          throw new ReferenceError('Access to "location", run again with --location <href>.');
        },
      },
    ],
    ['gives no URL', { href: '' }],
  ])('a platform that %s has no base', async (_, location) => {
    vi.stubGlobal('location', location);
    const seller = inProcessSeller();
    expect((await guardFor(seller).fetch('https://seller.example/paid')).status).toBe(402);
    await expect(answering(asks402).guard.fetch('/paid')).rejects.toMatchObject({ code: 'bad_challenge' });
  });
});

describe('the paid request has what its Request was made with:', () => {
  it.each<[string, RequestInit]>([
    ['that it outlives its page', { keepalive: true }],
    ['its credentials', { credentials: 'omit' }],
    ['its integrity', { integrity: 'sha256-a' }],
    ['a body beside it', { method: 'POST', body: 'a question', integrity: 'sha256-a' }],
  ])('%s', async (_, init) => {
    const { guard, reached } = requesting();
    const shown = await guard.fetch(new Request('https://seller.example/paid', init));
    const headers = { 'PAYMENT-SIGNATURE': await paymentFor(shown) };
    const paid = new Request('https://seller.example/paid', { ...init, headers });
    expect(await (await guard.fetch(paid)).text()).toBe(GOODS);
    const { method: _method, body: _body, ...members } = init;
    expect(reached).toMatchObject([members, members]);
  });
});

function requesting() {
  const seller = inProcessSeller();
  const reached: Request[] = [];
  const guard = guardFor({
    fetch(input, init) {
      reached.push(new Request(input instanceof Request ? input.clone() : input, init));
      return seller.fetch(input, init);
    },
  });
  return { guard, reached };
}

describe('a request of another copy of fetch', () => {
  const request = (headers: Record<string, string> = {}) =>
    new OtherRequest('https://seller.example/paid', { method: 'POST', body: 'a question', headers });

  it('is bought by its own URL, with its body', async () => {
    const { guard } = answering(asks402);
    const shown = await call(guard, request());
    const seller = inProcessSeller();
    const { fetch } = guard.for({
      async fetch(input, init) {
        // The types of the two copies differ.
        const asked = new OtherRequest(
          ...([input, init] as unknown as ConstructorParameters<typeof OtherRequest>),
        );
        const { url, method, headers } = asked;
        return seller.fetch(url, { method, headers: [...headers], body: await asked.text() });
      },
    });
    const paid = request({ 'PAYMENT-SIGNATURE': await paymentFor(shown) });
    expect(await (await fetch(paid as unknown as Request)).text()).toBe(GOODS);
    expect(seller.seen).toMatchObject([{ url: 'https://seller.example/paid', body: 'a question' }]);
  });

  it('is judged by its own URL', async () => {
    const { guard } = answering(asks402, { hosts: ['other.example'] });
    await expect(call(guard, request())).rejects.toMatchObject({ code: 'host_not_allowed' });
  });

  it('does not hide a payment', async () => {
    const { guard, reached } = answering(() => new Response('ok'));
    await expect(call(guard, request({ 'x-payment': 'e30=' }))).rejects.toMatchObject({
      code: 'something_else_was_signed',
    });
    expect(reached).toEqual([]);
  });
});

describe('an address that the guard cannot read', () => {
  const ADDRESSES: readonly (readonly [string, unknown])[] = [
    ['a path without a base', '/paid'],
    ['a scheme of its own', 'app://seller/paid'],
    ['a host without a port that is one', 'https://seller.example:x/paid'],
    ['no text at all', { toString: () => '/paid' }],
  ];

  it.each(ADDRESSES)('passes a free request on: %s', async (_, address) => {
    const { guard, reached } = answering(() => new Response('free'));
    const headers = { 'X-Assay-Task': 't1', 'X-Own': 'a' };
    expect(await (await call(guard, address, { headers })).text()).toBe('free');
    expect(reached.map((sent) => [...sent])).toEqual([[['x-own', 'a']]]);
  });

  it.each(ADDRESSES)('refuses its 402: %s', async (_, address) => {
    const { guard, reached } = answering(asks402);
    await expect(call(guard, address)).rejects.toMatchObject({ code: 'bad_challenge', purchaseId: null });
    expect(reached).toHaveLength(1);
  });

  it.each(ADDRESSES)('gets no payment: %s', async (_, address) => {
    const { guard, reached } = answering(() => new Response('ok'));
    for (const name of ['PAYMENT-SIGNATURE', 'X-PAYMENT'])
      await expect(call(guard, address, { headers: { [name]: 'signed' } })).rejects.toMatchObject({
        code: 'not_approved',
      });
    expect(reached).toEqual([]);
  });
});

it('data and blob URLs are read as ever, and take no payment', async () => {
  const guard = guardFor({ fetch: (input, init) => fetch(input, init) });
  const blob = URL.createObjectURL(new Blob(['in memory']));
  try {
    for (const [url, text] of [
      ['data:text/plain,inline', 'inline'],
      [blob, 'in memory'],
    ] as const) {
      expect(await (await guard.fetch(url)).text()).toBe(text);
      const paid = guard.fetch(url, { headers: { 'X-PAYMENT': 'signed' } });
      await expect(paid).rejects.toMatchObject({ code: 'not_approved' });
    }
  } finally {
    URL.revokeObjectURL(blob);
  }
});
