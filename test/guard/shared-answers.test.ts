import { describe, expect, it, vi } from 'vitest';
import type { GuardRefused } from '../../src/guard/index.ts';
import {
  GOODS,
  goods,
  guardFor,
  inProcessSeller,
  payer,
} from '../support/guarding/sellers/in-process-seller.ts';

const PAID = 'https://seller.example/paid';

describe('concurrent callers of one request', () => {
  it('five identical requests at once are one purchase, and all get the answer', async () => {
    const seller = inProcessSeller();
    const pay = payer(guardFor(seller).fetch);
    const answers = await Promise.all(Array.from({ length: 5 }, async () => (await pay(PAID)).text()));
    expect(answers).toEqual([GOODS, GOODS, GOODS, GOODS, GOODS]);
    expect(seller.payments()).toBe(1);
  });

  it('five identical requests at once send a payment without an answer once, and all get the answer', async () => {
    const seller = inProcessSeller(undefined, (request, before) =>
      before === 0 ? new Response(null, { status: 500 }) : goods(request, before),
    );
    const pay = payer(guardFor(seller).fetch);
    await pay(PAID);
    const answers = await Promise.all(Array.from({ length: 5 }, async () => (await pay(PAID)).text()));
    expect(answers).toEqual([GOODS, GOODS, GOODS, GOODS, GOODS]);
    expect(seller.seen.filter(({ payment }) => payment !== null)).toHaveLength(2);
  });

  it('whoever waits for the answer of another may give up, and the other goes on', async () => {
    let deliver = () => {};
    const seller = inProcessSeller(undefined, async (request, before) => {
      await new Promise<void>((resolve) => {
        deliver = resolve;
      });
      return goods(request, before);
    });
    const pay = payer(guardFor(seller).fetch);
    const first = pay(PAID);
    await expect.poll(() => seller.payments()).toBe(1);
    const waiting = new AbortController();
    const second = pay(PAID, { signal: waiting.signal });
    await new Promise((resolve) => setImmediate(resolve));
    waiting.abort();
    await expect(second).rejects.toMatchObject({ name: 'AbortError' });
    deliver();
    expect(await (await first).text()).toBe(GOODS);
  });

  it('a payer that gives up does not abort those who wait, and they send its payment', async () => {
    let isFirst = true;
    const seller = inProcessSeller(undefined, (request, before) => {
      const answer = isFirst ? new Promise<never>(() => {}) : goods(request, before);
      isFirst = false;
      return answer;
    });
    const guard = guardFor(seller, { fetch: abortable(seller.fetch) });
    const pay = payer(guard.fetch);
    const giving = new AbortController();
    const first = pay(PAID, { signal: giving.signal });
    await expect.poll(() => seller.payments()).toBe(1);
    const second = pay(PAID);
    await new Promise((resolve) => setImmediate(resolve));
    giving.abort();
    await expect(first).rejects.toMatchObject({ name: 'AbortError' });
    expect(await (await second).text()).toBe(GOODS);
    expect(seller.payments()).toBe(1);
  });

  it.each<[string, Record<string, string>]>([
    ['none', {}],
    ['another login', { authorization: 'bob' }],
    ['another key', { authorization: 'alice', 'x-api-key': 'b' }],
  ])('a payment without an answer is not sent by a caller who has %s', async (_, headers) => {
    const seller = inProcessSeller(undefined, () => new Response(null, { status: 500 }));
    const guard = guardFor(seller);
    const pay = payer(guard.fetch);
    expect((await pay(PAID, { headers: { authorization: 'alice' } })).status).toBe(500);
    await expect(pay(PAID, { headers })).rejects.toMatchObject({ code: 'bought_already' });
    const sent = () => seller.seen.filter(({ payment }) => payment !== null);
    expect(sent().map(({ headers: one }) => one.get('authorization'))).toEqual(['alice']);
    await pay(PAID, { headers: { authorization: 'alice' } });
    expect(sent()).toHaveLength(2);
    expect(seller.payments()).toBe(1);
    expect((await guard.purchases())[0]).not.toHaveProperty('credentials');
  });

  it('an open payment does not keep a caller with other credentials from what is free to it', async () => {
    const seller = inProcessSeller(undefined, () => new Response(null, { status: 500 }));
    const subscribed: typeof globalThis.fetch = async (input, init) => {
      const { headers } = new Request(input, init);
      return headers.get('authorization') === 'bob' ? new Response('free') : seller.fetch(input, init);
    };
    const pay = payer(guardFor(seller, { fetch: subscribed }).fetch);
    await pay(PAID, { headers: { authorization: 'alice' } });
    expect(await (await pay(PAID, { headers: { authorization: 'bob' } })).text()).toBe('free');
  });

  it('an open payment does not hold back an upload to elsewhere, nor refuse it', async () => {
    const seller = inProcessSeller(undefined, () => new Response(null, { status: 500 }));
    const guard = guardFor(seller, {
      async fetch(input, init) {
        const request = new Request(input, init);
        if (request.url === PAID) return seller.fetch(request);
        return new Response((await request.body?.getReader().read())?.value);
      },
    });
    await payer(guard.fetch)(PAID);
    const endless = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('the first piece')),
    });
    const upload = new Request('https://other.example/', {
      ...{ method: 'POST', body: endless, duplex: 'half' },
      headers: { 'x-assay-task': '' },
    });
    expect(await (await guard.fetch(upload)).text()).toBe('the first piece');
  });

  it('an answer is not shared with a caller who has other credentials', async () => {
    const seller = inProcessSeller(
      undefined,
      ({ headers }) =>
        new Response(`{"for":"${headers.get('authorization')}"}`, {
          headers: { 'content-type': 'application/json' },
        }),
    );
    const pay = payer(guardFor(seller).fetch);
    const as = (name: string) => pay(PAID, { headers: { authorization: name } });
    const outcomes = await Promise.all(
      ['alice', 'bob'].map((name) =>
        as(name).then(
          (answer) => answer.text(),
          (fault: GuardRefused) => fault.code,
        ),
      ),
    );
    expect(
      outcomes.filter((outcome) => outcome === 'second_payment' || outcome === 'bought_already'),
    ).toHaveLength(1);
    expect(outcomes.some((outcome) => outcome === '{"for":"alice"}' || outcome === '{"for":"bob"}')).toBe(
      true,
    );
    expect(seller.payments()).toBe(1);
  });
});

describe('a caller that gives up before anything is signed', () => {
  it('is told at once, also while somebody is asked to approve, and nothing is reserved or paid', async () => {
    const seller = inProcessSeller();
    const giving = new AbortController();
    let answer = (_: boolean) => {};
    const approve = () => {
      giving.abort();
      return new Promise<boolean>((resolve) => {
        answer = resolve;
      });
    };
    const guard = guardFor(seller, { approve });
    const call = payer(guard.fetch)(PAID, { signal: giving.signal });
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    answer(true);
    await new Promise((resolve) => setImmediate(resolve));
    expect([seller.payments(), await guard.purchases()]).toEqual([0, []]);
  });

  it('has nobody asked on its behalf afterwards', async () => {
    const giving = new AbortController();
    const approve = vi.fn(() => true);
    const expect_ = () => {
      giving.abort();
      return null;
    };
    const guard = guardFor(inProcessSeller(), { expect: expect_, approve });
    const call = payer(guard.fetch)(PAID, { signal: giving.signal });
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    await new Promise((resolve) => setImmediate(resolve));
    expect(approve).not.toHaveBeenCalled();
  });

  it('does not refuse those who wait', async () => {
    const giving = new AbortController();
    let isFirst = true;
    const seller = inProcessSeller();
    const guard = guardFor(seller, {
      async fetch(input, init) {
        const response = await seller.fetch(input, init);
        if (!isFirst) return response;
        isFirst = false;
        return new Response(endless(giving.signal), response);
      },
    });
    const first = payer(guard.fetch)(PAID, { signal: giving.signal });
    await expect.poll(() => seller.seen).toHaveLength(1);
    const second = payer(guard.fetch)(PAID);
    await expect.poll(() => seller.seen).toHaveLength(2);
    await new Promise((resolve) => setImmediate(resolve));
    giving.abort();
    await expect(first).rejects.toMatchObject({ name: 'AbortError' });
    expect(await (await second).text()).toBe(GOODS);
  });

  it('has no payment written down or sent', async () => {
    const seller = inProcessSeller();
    const guard = guardFor(seller);
    const giving = new AbortController();
    const call = payer((input, init) => {
      if (seller.seen.length > 0) giving.abort();
      return guard.fetch(input, init);
    })(PAID, { signal: giving.signal });
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    expect([seller.payments(), await guard.purchases()]).toMatchObject([0, [{ state: 'reserved' }]]);
  });
});

/** A body that breaks off when its caller gives up. */
function endless(signal: AbortSignal): ReadableStream {
  return new ReadableStream({
    start: (controller) => signal.addEventListener('abort', () => controller.error(signal.reason)),
  });
}

/** As every real fetch: it rejects when its caller gives up. */
function abortable(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return (input, init) =>
    new Promise((resolve, reject) => {
      const { signal } = new Request(input, init);
      signal.addEventListener('abort', () => reject(signal.reason));
      fetch(input, init).then(resolve, reject);
    });
}
