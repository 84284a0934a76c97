import { describe, expect, it } from 'vitest';
import { bodyOnly, ENTRY_V1 } from '../../tools/samples/challenge.ts';
import { startGateway } from '../support/guarding/gateway.ts';
import {
  GOODS,
  goods,
  guardFor,
  inProcessSeller,
  payer,
  payerOfVersion1,
} from '../support/guarding/sellers/in-process-seller.ts';

const PAID = 'https://seller.example/paid';
const ABOUT = { resource: PAID, description: 'an answer', mimeType: 'application/json' };
const version1 = bodyOnly(
  JSON.stringify({ x402Version: 1, error: 'pay', accepts: [{ ...ABOUT, ...ENTRY_V1 }] }),
);
const text = (boundary: string, value: string) =>
  `--${boundary}\r\ncontent-disposition: form-data; name="a"\r\n\r\n${value}\r\n--${boundary}--\r\n`;
const typed = (boundary: string, body: string | Uint8Array<ArrayBuffer>): RequestInit => ({
  ...{ method: 'POST', body },
  headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
});
const filled = (value: string): RequestInit => {
  const body = new FormData();
  body.set('a', value);
  return { method: 'POST', body };
};

/** Fails the first sending of a payment. */
const seller = () =>
  inProcessSeller(version1, (request, before) =>
    before === 0 ? new Response(null, { status: 500 }) : goods(request, before),
  );

describe('the same form with another boundary is the same request', () => {
  it.each<[string, () => RequestInit, () => RequestInit]>([
    ['as fetch writes it', () => filled('1'), () => filled('1')],
    ['as text', () => typed('one', text('one', '1')), () => typed('other', text('other', '1'))],
    [
      'as bytes',
      () => typed('one', new TextEncoder().encode(text('one', '1'))),
      () => typed('other', new TextEncoder().encode(text('other', '1'))),
    ],
  ])('%s', async (_, first, second) => {
    const sold = seller();
    const pay = await payerOfVersion1(guardFor(sold).fetch);
    expect((await pay(PAID, first())).status).toBe(500);
    expect(await (await pay(PAID, second())).text()).toBe(GOODS);
    expect(sold.payments()).toBe(1);
  });

  it('behind the gateway', async () => {
    const sold = inProcessSeller(undefined, (request, before) =>
      before === 0 ? new Response(null, { status: 500 }) : goods(request, before),
    );
    const gateway = await startGateway(guardFor(sold).fetch);
    const pay = payer(gateway.fetch);
    expect((await pay(PAID, filled('1'))).status).toBe(500);
    expect(await (await pay(PAID, filled('1'))).text()).toBe(GOODS);
    expect(sold.payments()).toBe(1);
  });
});

it('a form whose values differ by the text of its boundary is another request', async () => {
  const sold = inProcessSeller(version1);
  const guard = guardFor(sold);
  const pay = await payerOfVersion1(guard.fetch);
  for (const value of ['a', 'ab']) await pay(PAID, typed('b', text('b', value)));
  expect(sold.payments()).toBe(2);
});

it.each<[string, unknown]>([
  ['a form of another copy of fetch', { [Symbol.toStringTag]: 'FormData', values: ['a', '1'] }],
  ['a number', 5],
])('%s is sent, and not paid for: only the fetch below can read it', async (_, body) => {
  const sent: unknown[] = [];
  const sold = inProcessSeller();
  const guard = guardFor(sold, {
    fetch(input, init) {
      sent.push(init?.body);
      return sold.fetch(input);
    },
  });
  // As a program without types may call it.
  const call = guard.fetch(PAID, { method: 'POST', body: body as string });
  await expect(call).rejects.toMatchObject({ code: 'not_approved' });
  expect(sent).toEqual([body]);
});
