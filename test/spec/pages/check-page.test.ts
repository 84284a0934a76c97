import { describe, expect, it } from 'vitest';
import { PAYEE } from '../../../tools/samples/challenge.ts';
import { useService } from '../../support/asking.ts';
import { expectUnbroken, sendForm, wordsOf } from '../../support/pages.ts';
import { DOORS, freshAddress, type Sent } from '../../support/running/running-service.ts';

const HONEST = { url: 'http://seller.example/honest' };

describe.each(DOORS)('POST /check through the %s', (door) => {
  const service = useService({ door });
  const send = (fields: Record<string, string>, sent?: Sent) => sendForm(service.ask, fields, sent);

  it('303: leads to the receipt, which is the answer', async () => {
    const sent = await send({
      ...HONEST,
      claimed_price: '$0.01',
      pay_to: PAYEE,
      network: 'base',
      mode: 'live',
    });
    expect([sent.status, sent.header('cache-control')]).toEqual([303, 'no-store']);
    expect(sent.header('location')).toMatch(/^\/v1\/receipts\/sc-[0-9a-f]{16}$/);
    expect(sent.header('ratelimit')).toMatch(/^"free-checks";r=0;/);
    expect((await service.ask(`${sent.header('location')}.json`)).json).toMatchObject({
      verdict: 'pay',
      mode: 'live',
      expected: { claimed_price_usd: 0.01, pay_to: PAYEE, network: 'eip155:8453', source: 'request' },
      approved_payment: { amount_atomic: '10000' },
    });
  });

  it('uses the same share as the interface, and the same receipt store', async () => {
    const from = freshAddress();
    expect((await send(HONEST, { from })).status).toBe(303);
    expect((await service.ask(`/v1/products/endpoint-spot-check?url=${HONEST.url}`, { from })).status).toBe(
      402,
    );
  });

  it('a dry run is one, and leaves the free check alone', async () => {
    const from = freshAddress();
    const sent = await send({ ...HONEST, mode: 'dry-run' }, { from });
    expect(sent.header('ratelimit')).toMatch(/^"dry-runs";r=49;/);
    expect((await service.ask(`${sent.header('location')}.json`)).json).toMatchObject({
      mode: 'dry-run',
      approved_payment: null,
    });
    expect(wordsOf(await service.ask('/', { from }))).toContain('1 of 1 free checks and 49 of 50 dry runs');
  });

  it('past the share it names the price, offers a dry run and explains paying', async () => {
    const from = freshAddress();
    await send(HONEST, { from });
    const page = await send({ url: 'http://seller.example/dear', claimed_price: '1' }, { from });
    expect(page.status).toBe(200);
    const words = wordsOf(page);
    expect(words).toContain('This check costs $0.1.');
    expect(words).toContain('Free dry run');
    expect(words).toContain('PAYMENT-SIGNATURE');
    expect(page.text).toContain('url=http%3A%2F%2Fseller.example%2Fdear&amp;claimed_price=1');
    // What the free tier may not know is not there: neither verdict nor terms.
    expect(page.text).not.toMatch(/class="card|0x209693|approved/);
    expectUnbroken(page);
  });

  it.each<[string, Record<string, string>, string]>([
    ['no URL', {}, 'url must be sent.'],
    ['no such scheme', { url: 'ftp://a.example' }, 'url must be an http or https URL.'],
    ['a password', { url: 'http://me:hunter2@a.example/' }, 'must not contain a user name or a password.'],
    ['a price in words', { ...HONEST, claimed_price: 'cheap' }, 'claimed_price must be a plain decimal'],
    ['a payee in words', { ...HONEST, pay_to: 'me' }, 'pay_to must be a wallet address.'],
  ])('400: %s is said beside the field, and nothing is counted', async (_, fields, words) => {
    const from = freshAddress();
    const page = await send(fields, { from });
    expect(page.status).toBe(400);
    expect(wordsOf(page)).toContain(words);
    expect(page.text).toMatch(/aria-invalid="true" aria-describedby="[a-z_]+-fault"/);
    expect(page.text).not.toContain('hunter2');
    expect(wordsOf(await service.ask('/', { from }))).toContain('1 of 1 free checks');
    expectUnbroken(page);
  });

  it('400: an address that is not fetched is a skip, without a receipt and without counting', async () => {
    const from = freshAddress();
    const page = await send({ url: 'http://169.254.169.254/latest' }, { from });
    expect(page.status).toBe(400);
    expect(page.text).toContain('class="card skip"');
    expect(wordsOf(page)).toContain(
      'This URL leads to a blocked address, or to a host that opted out; nothing was sent.',
    );
    expect(wordsOf(await service.ask('/', { from }))).toContain('1 of 1 free checks');
  });

  it('a target that cannot be heard is given back', async () => {
    const from = freshAddress();
    expect((await send({ url: 'http://seller.example/down' }, { from })).status).toBe(303);
    expect(wordsOf(await service.ask('/', { from }))).toContain('1 of 1 free checks');
  });

  it.each<[string, Record<string, string>, number]>([
    ['another site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['a neighbour', { 'sec-fetch-site': 'same-site' }, 403],
    ['our own page', { 'sec-fetch-site': 'same-origin' }, 303],
    ['the reader alone', { 'sec-fetch-site': 'none' }, 303],
  ])('what comes from %s', async (_, headers, status) => {
    const from = freshAddress();
    const page = await send(HONEST, { from, headers });
    expect(page.status).toBe(status);
    const left = status === 403 ? 'Left today: 1 of 1' : "Today's free check is used";
    expect(wordsOf(await service.ask('/', { from }))).toContain(left);
    if (status === 403) expect(page.text).toContain('value="http://seller.example/honest"');
  });

  it('only takes a form, and not an endless one', async () => {
    const json = { headers: { 'content-type': 'application/json' } };
    const type = await send(HONEST, json);
    expect([type.status, type.text]).toEqual([
      415,
      expect.stringContaining('/problems#unsupported_media_type'),
    ]);
    const size = await send({ url: 'x'.repeat(17_000) });
    expect([size.status, size.text]).toEqual([413, expect.stringContaining('/problems#body_too_large')]);
    expect((await service.ask('/check', { method: 'PUT' })).header('allow')).toBe('GET, HEAD, POST, OPTIONS');
  });
});

describe('without Sec-Fetch-Site', () => {
  const service = useService({});
  const status = async (origin: Record<string, string>) => {
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      host: 'assay.example.org',
      ...origin,
    };
    return (await service.ask('/check', { method: 'POST', body: `url=${HONEST.url}`, headers })).status;
  };

  it.each<[string, Record<string, string>, number]>([
    ['no Origin, as programs send it', {}, 303],
    ['our own', { origin: 'https://assay.example.org' }, 303],
    ['that of another site', { origin: 'https://evil.example' }, 403],
    ['our own on another port', { origin: 'https://assay.example.org:8443' }, 403],
    ['none that may be told', { origin: 'null' }, 403],
  ])('Origin decides: %s', async (_, origin, expected) => {
    expect(await status(origin)).toBe(expected);
  });
});

describe('limits, in words', () => {
  const limited = useService({ settings: { DRY_RUNS_PER_ADDRESS: '1', PROBES_PER_HOST_MINUTE: '1' } });

  it('429 for dry runs', async () => {
    const from = freshAddress();
    const dryRun = { ...HONEST, mode: 'dry-run' };
    await sendForm(limited.ask, dryRun, { from });
    const page = await sendForm(limited.ask, dryRun, { from });
    expect([page.status, page.header('retry-after')]).toEqual([429, '43200']);
    expect(wordsOf(page)).toContain("Today's dry runs are used up. Nothing was sent. Try again in 12 hours.");
  });

  it('429 for a target that was asked too often', async () => {
    limited.at('2026-11-15T12:10:00.000Z');
    await sendForm(limited.ask, { url: 'http://busy.example/honest' });
    const page = await sendForm(limited.ask, { url: 'http://busy.example/dear' });
    expect([page.status, page.header('retry-after')]).toEqual([429, '60']);
    expect(wordsOf(page)).toContain('No further check of this endpoint may start now');
  });
});

describe('a service that sells nothing', () => {
  const poor = useService({ settings: { PAY_TO: '' } });

  it('says so, probes nothing for a price and offers a dry run', async () => {
    const from = freshAddress();
    await sendForm(poor.ask, HONEST, { from });
    const before = poor.sellerRequests.length;
    const page = await sendForm(poor.ask, { url: 'http://seller.example/dear' }, { from });
    expect(wordsOf(page)).toContain('This service has no wallet and cannot sell checks.');
    expect(poor.sellerRequests.length).toBe(before);
  });
});
