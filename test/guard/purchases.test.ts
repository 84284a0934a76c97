import { describe, expect, it } from 'vitest';
import { type Decision, GuardRefused, memoryLedger } from '../../src/guard/index.ts';
import { ENTRY, header, paywall, THIEF } from '../../tools/samples/challenge.ts';
import {
  type Answering,
  GOODS,
  goods,
  guardFor,
  inProcessSeller,
  payer,
  responseOf,
} from '../support/guarding/sellers/in-process-seller.ts';

const PAID = 'https://seller.example/paid';
const lost: Answering = () => {
  throw new TypeError('fetch failed');
};
const first = (one: Answering, then: Answering): Answering => {
  return (request, before) => (before === 0 ? one(request, before) : then(request, before));
};
const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'paid',
    (fault: unknown) => (fault instanceof GuardRefused ? fault.code : String(fault)),
  );

describe('one payment per purchase', () => {
  it('a lost answer is asked for again with the same payment', async () => {
    const seller = inProcessSeller(undefined, first(lost, goods));
    const guard = guardFor(seller);
    expect(await (await payer(guard.fetch)(PAID)).text()).toBe(GOODS);
    expect(seller.payments()).toBe(1);
    expect(await guard.purchases()).toMatchObject([
      { state: 'delivered', attempts: [{ status: null }, { status: 200 }] },
    ]);
  });

  it('without any answer the outcome is unknown, and the next call sends the same payment', async () => {
    const seller = inProcessSeller(undefined, (request, before) =>
      before < 3 ? lost(request, before) : goods(request, before),
    );
    const guard = guardFor(seller);
    const buy = () => payer(guard.fetch)(PAID);
    expect(await codeOf(buy())).toBe('outcome_unknown');
    expect(await guard.purchases({ state: 'open' })).toMatchObject([{ state: 'unknown' }]);
    expect(await (await buy()).text()).toBe(GOODS);
    expect(seller.payments()).toBe(1);
    expect(seller.seen.filter(({ payment }) => payment === null)).toHaveLength(1);
  });

  it('a seller that asks again gets no second payment', async () => {
    const seller = inProcessSeller(undefined, () => responseOf(paywall([ENTRY])));
    const guard = guardFor(seller);
    for (let tries = 0; tries < 3; tries += 1) {
      expect(await codeOf(payer(guard.fetch)(PAID))).toBe('asked_again_after_payment');
    }
    expect(seller.payments()).toBe(1);
  });

  it('an empty delivery is asked for again with the same payment', async () => {
    const seller = inProcessSeller(undefined, () => new Response(null, { status: 200 }));
    const guard = guardFor(seller);
    for (let tries = 0; tries < 3; tries += 1) expect((await payer(guard.fetch)(PAID)).status).toBe(200);
    expect(seller.payments()).toBe(1);
    expect(await guard.purchases()).toMatchObject([{ state: 'empty' }]);
  });

  it('an error after the payment is passed on, and the purchase stays open', async () => {
    const seller = inProcessSeller(
      undefined,
      first(() => new Response('no', { status: 500 }), goods),
    );
    const guard = guardFor(seller);
    expect((await payer(guard.fetch)(PAID)).status).toBe(500);
    expect(await guard.purchases({ state: 'open' })).toMatchObject([{ state: 'failed' }]);
    expect(await (await payer(guard.fetch)(PAID)).text()).toBe(GOODS);
    expect(seller.payments()).toBe(1);
  });

  it('a paid request that is redirected is not followed', async () => {
    const seller = inProcessSeller(
      undefined,
      () => new Response(null, { status: 307, headers: { location: 'https://thief.example/' } }),
    );
    expect(await codeOf(payer(guardFor(seller).fetch)(PAID))).toBe('redirected_elsewhere');
    expect(seller.seen.map(({ url }) => url)).toEqual([PAID, PAID]);
  });

  it('the same request again is bought already, until it may be repeated or is named', async () => {
    let now = new Date();
    const seller = inProcessSeller();
    const guard = guardFor(seller, { now: () => now, repeatAfterMs: 5_000 });
    const pay = payer(guard.fetch);
    await pay(PAID);
    expect(await codeOf(pay(PAID))).toBe('bought_already');
    expect((await pay(PAID, { headers: { 'X-Assay-Purchase': 'order-17' } })).status).toBe(200);
    expect(await codeOf(pay(PAID, { headers: { 'X-Assay-Purchase': 'order-17' } }))).toBe('bought_already');
    now = new Date(now.getTime() + 5_000);
    expect((await pay(PAID)).status).toBe(200);
    expect(seller.seen.some(({ headers }) => headers.has('x-assay-purchase'))).toBe(false);
  });

  it('a payment that nobody approved is not sent', async () => {
    const seller = inProcessSeller();
    const other = inProcessSeller();
    await payer(other.fetch)(PAID);
    const header = other.seen[1]?.headers.get('payment-signature') ?? '';
    const guard = guardFor(seller);
    expect(await codeOf(guard.fetch(PAID, { headers: { 'payment-signature': header } }))).toBe(
      'not_approved',
    );
    expect(seller.seen).toHaveLength(0);
  });

  it('something else than what was approved is not sent', async () => {
    const seller = inProcessSeller();
    const other = inProcessSeller(paywall([{ ...ENTRY, payTo: THIEF }]));
    await payer(other.fetch)(PAID);
    const guard = guardFor(seller);
    await guard.fetch(PAID);
    const header = other.seen[1]?.headers.get('payment-signature') ?? '';
    expect(await codeOf(guard.fetch(PAID, { headers: { 'payment-signature': header } }))).toBe(
      'something_else_was_signed',
    );
    expect(await codeOf(guard.fetch(PAID, { headers: { 'payment-signature': 'bm90IGpzb24=' } }))).toBe(
      'something_else_was_signed',
    );
    expect(seller.payments()).toBe(0);
  });

  it('a second payment for an open purchase is not sent', async () => {
    const seller = inProcessSeller(undefined, () => new Response('no', { status: 500 }));
    const other = inProcessSeller();
    await payer(other.fetch)(PAID);
    const guard = guardFor(seller);
    await payer(guard.fetch)(PAID);
    const header = other.seen[1]?.headers.get('payment-signature') ?? '';
    expect(await codeOf(guard.fetch(PAID, { headers: { 'payment-signature': header } }))).toBe(
      'second_payment',
    );
    expect(seller.payments()).toBe(1);
  });
});

it('a seller that knows identifiers gets one for each purchase, and the same one with the same payment', async () => {
  const extensions = { 'payment-identifier': { info: { required: false }, schema: {} } };
  const challenge = paywall([], { headers: [header({ x402Version: 2, accepts: [ENTRY], extensions })] });
  const seller = inProcessSeller(challenge, first(lost, goods));
  const guard = guardFor(seller, { repeatAfterMs: 0 });
  for (let purchases = 0; purchases < 2; purchases += 1) await payer(guard.fetch)(PAID);
  const sent = seller.seen.flatMap(({ payment }) => (payment === null ? [] : [payment.extensions]));
  const bought = (await guard.purchases()).map(({ id }) => id).sort();
  const ids = sent.map((all) => Object(all)['payment-identifier'].info.id);
  expect(ids[0]).toMatch(/^pur_[0-9a-f]{32}$/);
  expect(ids).toEqual([ids[0], ids[0], ids[2]]);
  expect([ids[0], ids[2]].sort()).toEqual(bought);
});

it('a frozen ledger pays nothing, and lets everything else through', async () => {
  const seller = inProcessSeller();
  const guard = guardFor(seller);
  await guard.freeze();
  expect(await codeOf(payer(guard.fetch)(PAID))).toBe('frozen');
  await guard.freeze(false);
  expect(await codeOf(payer(guard.fetch)(PAID))).toBe('paid');
});

describe('a frozen ledger sends no payment again', () => {
  /** A purchase that got no answer, because the ledger is frozen while the payment is under way. */
  const buyFrozen = async () => {
    const seller = inProcessSeller(undefined, async (request, before) => {
      await guard.freeze();
      return lost(request, before);
    });
    const guard = guardFor(seller);
    const code = await codeOf(payer(guard.fetch)(PAID));
    return { seller, guard, code };
  };

  it('after a lost answer', async () => {
    const { seller, guard, code } = await buyFrozen();
    expect([code, seller.seen.length]).toEqual(['outcome_unknown', 2]);
    expect(await guard.purchases()).toMatchObject([{ state: 'unknown', attempts: [{ status: null }] }]);
  });

  it.each<[string, boolean]>([
    ['for the same call', false],
    ['for the same call with the same payment', true],
  ])('%s', async (_, isPaid) => {
    const { seller, guard } = await buyFrozen();
    const sent = seller.seen[1]?.headers.get('payment-signature') ?? '';
    const headers: Record<string, string> = isPaid ? { 'payment-signature': sent } : {};
    expect(await codeOf(guard.fetch(PAID, { headers }))).toBe('frozen');
    expect(seller.seen).toHaveLength(2);
    expect(await guard.purchases()).toMatchObject([{ state: 'unknown' }]);
  });
});

it.each<[string, number, string | null, string]>([
  ['is ahead of the seller', -301_000, null, 'clock_wrong'],
  ['is behind the seller', 302_000, null, 'clock_wrong'],
  ['is ahead of a cache as well', -603_000, '300', 'clock_wrong'],
  ['agrees, though the 402 was in a cache', -600_000, '600', 'paid'],
  ['agrees with a cache that writes its own time', 0, '600', 'paid'],
  ['is ahead, and the age is no number', -301_000, 'Infinity', 'clock_wrong'],
])('a clock that %s', async (_, seenMs, age, code) => {
  const challenge = paywall([ENTRY]);
  const fields: [string, string][] = [['date', new Date(Date.now() + seenMs).toUTCString()]];
  if (age !== null) fields.push(['age', age]);
  const seller = inProcessSeller({ ...challenge, headers: [...challenge.headers, ...fields] });
  expect(await codeOf(payer(guardFor(seller).fetch)(PAID))).toBe(code);
});

it('a ledger that fails refuses before anything is signed, and ordinary traffic passes', async () => {
  const broken = new Proxy(memoryLedger(), {
    get: () => () => Promise.reject(new Error('disk full: /secret/path')),
  });
  const seller = inProcessSeller();
  const guard = guardFor(seller, { ledger: broken });
  const refused = await payer(guard.fetch)(PAID).catch((fault: unknown) => fault);
  expect(refused).toMatchObject({ code: 'ledger_unavailable' });
  expect(String(refused)).not.toContain('secret');
  const free = guardFor({ fetch: async () => new Response('free') }, { ledger: broken });
  expect(await (await free.fetch(PAID)).text()).toBe('free');
});

const fails = () => {
  throw new Error('no');
};
it.each<[string, () => unknown]>([
  ['throws', fails],
  // A rejection that nobody handles fails the test run.
  ['rejects', async () => fails()],
])('decisions are reported, and an observer that %s changes nothing', async (_, fail) => {
  const seen: string[] = [];
  const note = (decision: Decision) => {
    seen.push(decision.kind === 'refused' ? decision.code : decision.kind);
    return fail();
  };
  const guard = guardFor(inProcessSeller(), { onDecision: note });
  await payer(guard.fetch)(PAID);
  await codeOf(payer(guard.fetch)(PAID));
  expect(seen).toEqual(['approved', 'sent', 'delivered', 'bought_already']);
});
