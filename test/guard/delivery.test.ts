import { Response as OtherResponse } from 'undici';
import { expect, it } from 'vitest';
import { memoryLedger } from '../../src/guard/index.ts';
import { GOODS, guardFor, inProcessSeller, payer } from '../support/guarding/sellers/in-process-seller.ts';

const PAID = 'https://seller.example/paid';

it('a stream that ends after the chain said that it was paid for is delivered', async () => {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const seller = inProcessSeller(
    undefined,
    () => new Response(readable, { headers: { 'content-type': 'text/event-stream' } }),
  );
  const ledger = memoryLedger();
  const guard = guardFor(seller, { ledger });
  const response = await payer(guard.fetch)(PAID);
  const [{ id } = { id: '' }] = await guard.purchases({ state: 'delivering' });
  const isClosed = await ledger.move(id, { from: ['delivering'], to: 'paid_undelivered', at: new Date() });
  expect(isClosed).toBe(true);
  const writer = writable.getWriter();
  writer.write(new TextEncoder().encode(GOODS)).then(() => writer.close());
  expect(await response.text()).toBe(GOODS);
  expect(await guard.purchases()).toMatchObject([{ id, state: 'delivered' }]);
});

it('a type of content that repeats the signature is not kept', async () => {
  const seller = inProcessSeller(undefined, ({ payment }) => {
    return new Response(GOODS, {
      headers: { 'content-type': `text/plain; a=${payment?.payload.signature}` },
    });
  });
  const guard = guardFor(seller);
  expect(await (await payer(guard.fetch)(PAID)).text()).toBe(GOODS);
  expect(await guard.purchases()).toMatchObject([{ state: 'delivered', answer: { contentType: null } }]);
});

it('headers that can be read once reach the seller', async () => {
  const seller = inProcessSeller();
  function* headers(): Generator<[string, string]> {
    yield ['x-one', 'two'];
  }
  await guardFor(seller).fetch(PAID, { headers: headers() as unknown as [string, string][] });
  expect(seller.seen[0]?.headers.get('x-one')).toBe('two');
});

it('an answer of another copy of fetch, which is no instance of the global Response, is delivered', async () => {
  const seller = inProcessSeller();
  const guard = guardFor(seller, {
    async fetch(input, init) {
      const response = await seller.fetch(input, init);
      const { status, headers } = response;
      // The types of the two copies differ.
      return new OtherResponse(await response.text(), {
        status,
        headers: [...headers],
      }) as unknown as Response;
    },
  });
  expect(await (await payer(guard.fetch)(PAID)).text()).toBe(GOODS);
  expect(seller.seen).toHaveLength(2);
  expect(await guard.purchases()).toMatchObject([{ state: 'delivered', attempts: [{ status: 200 }] }]);
});

it.each(['frozen', 'move'] as const)(
  'a ledger that fails after the payment was sent (%s) leaves the outcome unknown',
  async (broken) => {
    const kept = memoryLedger();
    const fail = () => Promise.reject(new Error('disk full'));
    let isFailing = false;
    const ledger = new Proxy(kept, {
      get: (target, name) => (isFailing && name === broken ? fail : Reflect.get(target, name)),
    });
    const seller = inProcessSeller(undefined, () => {
      isFailing = true;
      throw new TypeError('fetch failed');
    });
    const refused = await payer(guardFor(seller, { ledger }).fetch)(PAID).catch((fault: unknown) => fault);
    const [{ id } = { id: '' }] = await kept.find({ state: 'open' });
    expect(refused).toMatchObject({ code: 'outcome_unknown', purchaseId: id });
    expect(seller.payments()).toBe(1);
  },
);
