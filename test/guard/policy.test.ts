import { describe, expect, it, vi } from 'vitest';
import type { GuardedInit } from '../../src/guard/call/read-call.ts';
import { type Expectation, GuardRefused, type PurchaseToApprove } from '../../src/guard/index.ts';
import { ENTRY, PAYEE, paywall, THIEF } from '../../tools/samples/challenge.ts';
import { guardFor, inProcessSeller, payer } from '../support/guarding/sellers/in-process-seller.ts';

const PAID = 'https://seller.example/paid';
const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'paid',
    (fault: unknown) => (fault instanceof GuardRefused ? fault.code : String(fault)),
  );

describe('limits', () => {
  it.each<[string, object, string]>([
    ['a day', { perPayment: '1', perDay: '0.025' }, 'over_day_limit'],
    ['a host', { perPayment: '1', perDay: '5', perHostDay: '0.025' }, 'over_host_limit'],
  ])('of %s: two of four parallel purchases fit', async (_, limits, code) => {
    const seller = inProcessSeller();
    const guard = guardFor(seller, { limits: { perPayment: '1', perDay: '5', ...limits } });
    const pay = payer(guard.fetch);
    const codes = await Promise.all([1, 2, 3, 4].map((n) => codeOf(pay(`${PAID}/${n}`))));
    expect(codes.sort()).toEqual([code, code, 'paid', 'paid'].sort());
    expect(seller.payments()).toBe(2);
  });

  it('of a task, and of one call', async () => {
    const seller = inProcessSeller();
    const guard = guardFor(seller, { limits: { perPayment: '1', perDay: '5', perTask: '0.015' } });
    const task = payer(guard.for({ task: 't1' }).fetch);
    expect(await codeOf(task(`${PAID}/1`))).toBe('paid');
    expect(await codeOf(task(`${PAID}/2`))).toBe('over_task_limit');
    expect(await codeOf(payer(guard.for({ task: 't2' }).fetch)(`${PAID}/2`))).toBe('paid');
    expect(await codeOf(payer(guard.fetch)(`${PAID}/3`, { headers: { 'X-Assay-Task': 't1' } }))).toBe(
      'over_task_limit',
    );
    expect(await codeOf(payer(guard.fetch)(`${PAID}/4`, { headers: { 'X-Assay-Max-Price': '0.009' } }))).toBe(
      'over_payment_limit',
    );
    expect(await codeOf(guard.fetch(`${PAID}/5`, { assay: { maxPrice: '0.009' } }))).toBe(
      'over_payment_limit',
    );
  });

  it.each<[string, GuardedInit, string]>([
    ['the same task', { assay: { task: 't1' } }, 'paid'],
    ['another task', { assay: { task: 't2' } }, 'not_approved'],
    ['another task in a header', { headers: { 'X-Assay-Task': 't2' } }, 'not_approved'],
  ])('of a task: a call of its guard that names %s', async (_, init, code) => {
    const guard = guardFor(inProcessSeller());
    // Directly: a payer passes on headers only.
    expect(await codeOf(guard.for({ task: 't1' }).fetch(PAID, init))).toBe(code);
    expect(await guard.purchases()).toMatchObject(code === 'paid' ? [{ task: 't1' }] : []);
  });

  it.each<[string, object]>([
    ['a misspelt member', { assay: { max_price: '0.009' } }],
    ['an amount alone', { assay: '0.009' }],
    ['a number alone', { assay: 0.009 }],
    ['a misspelt header', { headers: { 'X-Assay-MaxPrice': '0.009' } }],
  ])('of one call that are spelled wrongly refuse it: %s', async (_, init) => {
    const guard = guardFor(inProcessSeller());
    expect(await codeOf(guard.fetch(PAID, init))).toBe('not_approved');
  });

  it.each<[string, object, Record<string, string>, string]>([
    ['a payment', { perPayment: '0.0099999' }, {}, 'over_payment_limit'],
    ['a day', { perDay: '0.0099999' }, {}, 'over_day_limit'],
    ['a call', {}, { 'X-Assay-Max-Price': '0.0099999' }, 'over_payment_limit'],
    ['a call, met', {}, { 'X-Assay-Max-Price': '0.0100009' }, 'paid'],
  ])('are rounded down: %s', async (_, limits, headers, code) => {
    const guard = guardFor(inProcessSeller(), { limits: { perPayment: '1', perDay: '5', ...limits } });
    expect(await codeOf(payer(guard.fetch)(PAID, { headers }))).toBe(code);
  });

  it('of a host, whose name with a dot at its end is the same host', async () => {
    const guard = guardFor(inProcessSeller(), {
      limits: { perPayment: '1', perDay: '5', perHostDay: '0.01' },
    });
    const pay = payer(guard.fetch);
    expect(await codeOf(pay(`${PAID}/1`))).toBe('paid');
    expect(await codeOf(pay('https://seller.example./paid/2'))).toBe('over_host_limit');
  });

  it('of hosts', async () => {
    const seller = inProcessSeller();
    const guard = guardFor(seller, { hosts: ['other.example', '*.seller.example'] });
    expect(await codeOf(payer(guard.fetch)(PAID))).toBe('host_not_allowed');
    expect(await codeOf(payer(guard.fetch)('https://api.seller.example:8443/'))).toBe('paid');
  });
});

describe('an allowed host is compared in the spelling of URLs', () => {
  it.each<[string, string, string]>([
    ['capitals', 'Seller.EXAMPLE', 'https://seller.example/'],
    ['a short IPv4 address', '127.1', 'http://127.0.0.1/'],
    ['a long IPv6 address', '[0:0:0:0:0:0:0:1]', 'http://[::1]/'],
    ['the dot of a whole name', 'seller.example', 'https://seller.example./'],
    ['the dot of a whole name in the list', '*.seller.example.', 'https://api.seller.example/'],
    ['capitals below a name', '*.Seller.example', 'https://api.seller.example/'],
  ])('%s', async (_, host, url) => {
    expect(await codeOf(payer(guardFor(inProcessSeller(), { hosts: [host] }).fetch)(url))).toBe('paid');
  });
});

describe('what was expected', () => {
  it.each<[string, unknown, string]>([
    ['the price', { price: '0.02' }, 'price_mismatch'],
    ['the payee', { payTo: THIEF }, 'pay_to_mismatch'],
    ['the network', { network: 'eip155:137' }, 'network_mismatch'],
    ['a price that cannot be read', { price: 'free' }, 'not_approved'],
    ['a payee under another name, which would not be compared', { pay_to: THIEF }, 'not_approved'],
    ['a payee in other letters', { price: '0.01', payto: THIEF }, 'not_approved'],
    ['an answer like that of approve', false, 'not_approved'],
    ['an empty list', [], 'not_approved'],
    ['all of it', { price: '0.01', payTo: PAYEE, network: 'base' }, 'paid'],
  ])('%s', async (_, expectation, code) => {
    // As a program without types may answer.
    const options = { expect: () => expectation as Expectation };
    expect(await codeOf(payer(guardFor(inProcessSeller(), options).fetch)(PAID))).toBe(code);
  });

  it.each(['#', '#now'])('is asked about what is sent, without the fragment %s', async (fragment) => {
    const listing: Record<string, object> = { [PAID]: { payTo: THIEF } };
    const guard = guardFor(inProcessSeller(), { expect: (url) => listing[url] });
    expect(await codeOf(payer(guard.fetch)(PAID + fragment))).toBe('pay_to_mismatch');
  });

  it('a function that throws refuses', async () => {
    const expect_ = () => {
      throw new Error('no listing');
    };
    expect(await codeOf(payer(guardFor(inProcessSeller(), { expect: expect_ }).fetch)(PAID))).toBe(
      'not_approved',
    );
  });

  it.each<[string, object, string]>([
    ['another payee', { payTo: THIEF }, 'terms_changed'],
    ['a higher price for the same request', { amount: '10001' }, 'terms_changed'],
    ['a lower price', { amount: '9999' }, 'paid'],
  ])('terms are compared with the last delivery: %s', async (_, changes, code) => {
    let entry: object = ENTRY;
    const seller = inProcessSeller(() => paywall([entry]));
    const guard = guardFor(seller, { repeatAfterMs: 0 });
    await payer(guard.fetch)(PAID);
    entry = { ...ENTRY, ...changes };
    expect(await codeOf(payer(guard.fetch)(PAID))).toBe(code);
  });

  it('changed terms may be approved, and a price may depend on the request', async () => {
    let entry: object = ENTRY;
    const asked: boolean[] = [];
    const seller = inProcessSeller(() => paywall([entry]));
    const guard = guardFor(seller, {
      approveAbove: '0.5',
      approve: ({ termsChanged }) => asked.push(termsChanged) > 0,
    });
    await payer(guard.fetch)(`${PAID}?n=1`);
    entry = { ...ENTRY, amount: '20000' };
    expect(await codeOf(payer(guard.fetch)(`${PAID}?n=2`))).toBe('paid');
    entry = { ...ENTRY, payTo: THIEF };
    expect(await codeOf(payer(guard.fetch)(`${PAID}?n=3`))).toBe('paid');
    expect(asked).toEqual([true]);
  });

  it.each<[string, () => unknown]>([
    ['no', () => false],
    ['something true, but not true', () => 'yes'],
    ['a fault', () => Promise.reject(new Error('closed'))],
  ])('an approval of %s is none', async (_, approve) => {
    const options = { approve: approve as () => boolean };
    expect(await codeOf(payer(guardFor(inProcessSeller(), options).fetch)(PAID))).toBe('not_approved');
  });
});

describe('an approval is for all that the payer may sign', () => {
  const POLYGON = {
    ...ENTRY,
    network: 'eip155:137',
    asset: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
  };
  const BOTH = ['eip155:137', 'eip155:8453'];
  const networksOf = (shown: Response): string[] =>
    JSON.parse(atob(shown.headers.get('payment-required') ?? '')).accepts.map(
      ({ network }: typeof ENTRY) => network,
    );

  it.each<[string, object[], object, string[][], string[]]>([
    ['one question names all', [POLYGON, ENTRY], {}, [BOTH], BOTH],
    [
      'what costs more is in neither',
      [{ ...POLYGON, amount: '10001' }, ENTRY],
      {},
      [['eip155:8453']],
      ['eip155:8453'],
    ],
    ['below the amount, nobody is asked', [POLYGON, ENTRY], { approveAbove: '0.5' }, [], BOTH],
  ])('%s', async (_, entries, options, asked, shown) => {
    const seen: PurchaseToApprove[] = [];
    const approve = (purchase: PurchaseToApprove) => seen.push(purchase) > 0;
    const guard = guardFor(inProcessSeller(paywall(entries)), { approve, ...options });
    expect(networksOf(await guard.fetch(PAID))).toEqual(shown);
    expect(seen.map(({ choices }) => choices.map(({ network }) => network))).toEqual(asked);
    for (const { terms, choices } of seen) expect(terms).toEqual(choices[0]);
    const [purchase] = await guard.purchases();
    const { approved } = await guard.evidence(purchase?.id ?? '');
    expect(approved.map(({ network }) => network)).toEqual(shown);
  });

  it.each(['eip155:137', 'eip155:8453'] as const)(
    'a payer for %s alone buys after one yes',
    async (network) => {
      const approve = vi.fn((_: PurchaseToApprove) => true);
      const seller = inProcessSeller(paywall([POLYGON, ENTRY]));
      const guard = guardFor(seller, { approve });
      expect(await codeOf(payer(guard.fetch, network)(PAID))).toBe('paid');
      expect(approve).toHaveBeenCalledTimes(1);
      expect(await guard.purchases()).toMatchObject([{ state: 'delivered', terms: { network } }]);
      expect(seller.seen.flatMap(({ payment }) => payment?.accepted?.['network'] ?? [])).toEqual([network]);
    },
  );

  it('after a no, no payer gets any', async () => {
    const seller = inProcessSeller(paywall([POLYGON, ENTRY]));
    const approve = vi.fn(() => false);
    expect(await codeOf(payer(guardFor(seller, { approve }).fetch, 'eip155:8453')(PAID))).toBe(
      'not_approved',
    );
    expect(approve).toHaveBeenCalledTimes(1);
    expect(seller.payments()).toBe(0);
  });

  it('nobody is asked about a 402 with two payees', async () => {
    const approve = vi.fn(() => true);
    const guard = guardFor(inProcessSeller(paywall([ENTRY, { ...ENTRY, payTo: THIEF }])), { approve });
    expect(await codeOf(payer(guard.fetch)(PAID))).toBe('bad_challenge');
    expect(approve).not.toHaveBeenCalled();
  });
});
