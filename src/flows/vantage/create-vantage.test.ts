import { describe, expect, it } from 'vitest';
import { seededSigner } from '../../../test/support/log/seeded-signer.ts';
import { CLIENT, NOON, requestNote } from '../../../test/support/vantage/running-vantage.ts';
import { answered } from '../../../tools/samples/challenge.ts';
import { ownAddress } from '../../../tools/samples/own-address.ts';
import type { VantageRequest } from '../../core/vantage/request-text.ts';
import type { ProbeOutcome } from '../../core/verdict/probe-outcome.ts';
import { createVantage, type VantageAnswer } from './create-vantage.ts';
import { createSeenNonces } from './seen-nonces.ts';

const SIGNER = seededSigner('vantage.example/v1');
const OTHER = seededSigner('other.example/vantages');
const later = (ms: number) => new Date(NOON.getTime() + ms);

/** A vantage whose targets answer at once, or when they are told to. */
function world({ held = false, addressOf = ownAddress, clients = [CLIENT, OTHER] } = {}) {
  const state = { now: NOON, ms: 0 };
  const sent: string[] = [];
  const located: string[] = [];
  const waiting: (() => void)[] = [];
  const vantage = createVantage({
    signer: SIGNER,
    clients: clients.map(({ key }) => key),
    now: () => state.now,
    stopwatch: () => state.ms,
    prober: {
      locate: async ({ host }) => {
        located.push(host);
        return { kind: 'located', host, addresses: [addressOf(host)], leftMs: 5_000 };
      },
      probe: ({ target }) => {
        sent.push(target.href);
        if (!held) return Promise.resolve(answered());
        return new Promise<ProbeOutcome>((resolve) => waiting.push(() => resolve(answered())));
      },
    },
  });
  const ask = (changes: Partial<VantageRequest> = {}, signer = CLIENT) =>
    vantage.answer(requestNote({ at: state.now, ...changes }, signer));
  return { state, sent, located, waiting, ask, answer: vantage.answer };
}

const shop = (n: number | string) => ({ url: `http://shop-${n}.example.net/` });
const count = (answers: readonly VantageAnswer[]) =>
  ['observed', 'busy'].map((kind) => answers.filter((answer) => answer.kind === kind).length);

async function askAll(times: number, ask: (n: number) => Promise<VantageAnswer>): Promise<VantageAnswer[]> {
  return Promise.all(Array.from({ length: times }, (_, n) => ask(n)));
}

async function askEach(times: number, ask: (n: number) => Promise<VantageAnswer>): Promise<VantageAnswer[]> {
  const answers: VantageAnswer[] = [];
  for (let n = 0; n < times; n += 1) answers.push(await ask(n));
  return answers;
}

describe('in a minute a vantage admits', () => {
  it('30 requests to one host and port', async () => {
    const { ask, sent, state } = world();
    const answers = await askEach(32, (n) => ask({ url: `http://shop.example.net/${n}` }));
    expect(count(answers)).toEqual([30, 2]);
    expect(answers.at(-1)).toEqual({ kind: 'busy', retryAfterSeconds: 60 });
    expect((await ask({ url: 'http://shop.example.net:8080/' })).kind).toBe('observed');
    expect(sent).toHaveLength(31);
    state.now = later(59_999);
    expect(await ask()).toEqual({ kind: 'busy', retryAfterSeconds: 1 });
    state.now = later(60_000);
    expect((await ask()).kind).toBe('observed');
  });

  it.each<[string, (host: string) => string]>([
    ['address, whatever its names', () => '93.184.216.34'],
    ['/48 of IPv6', (host) => `2606:4700:1::${/\d+/.exec(host)?.[0]}`],
  ])('300 to one %s', async (_, addressOf) => {
    const { ask, sent } = world({ addressOf });
    expect(count(await askEach(302, (n) => ask(shop(n % 60))))).toEqual([300, 2]);
    expect(sent).toHaveLength(300);
  });

  it('600 of a client, and as many of another one', async () => {
    const { ask, sent, located } = world();
    expect(count(await askEach(602, (n) => ask(shop(n))))).toEqual([600, 2]);
    expect((await ask(shop('x'), OTHER)).kind).toBe('observed');
    expect([sent.length, located.length]).toEqual([601, 601]);
  });
});

describe('at a time a vantage admits', () => {
  it('three to one host', async () => {
    const { ask, sent, waiting } = world({ held: true });
    const first = askAll(3, () => ask());
    await expect.poll(() => waiting.length).toBe(3);
    expect(await ask()).toEqual({ kind: 'busy', retryAfterSeconds: 1 });
    for (const go of waiting) go();
    expect(count(await first)).toEqual([3, 0]);
    const next = ask();
    await expect.poll(() => waiting.length).toBe(4);
    waiting[3]?.();
    expect((await next).kind).toBe('observed');
    expect(sent).toHaveLength(4);
  });

  it('thirty to one address', async () => {
    const { ask, sent, waiting } = world({ held: true, addressOf: () => '93.184.216.34' });
    const first = askAll(30, (n) => ask(shop(n)));
    await expect.poll(() => waiting.length).toBe(30);
    expect((await ask(shop('x'))).kind).toBe('busy');
    for (const go of waiting) go();
    expect(count(await first)).toEqual([30, 0]);
    expect(sent).toHaveLength(30);
  });

  it('100 of a client and 200 in all, and recovers from a flood', async () => {
    const third = seededSigner('third.example/vantages');
    const { ask, sent, waiting } = world({ held: true, clients: [CLIENT, OTHER, third] });
    const floods = [CLIENT, OTHER, third].map((signer, nth) =>
      askAll(110, (n) => ask(shop(`${nth}-${n}`), signer)),
    );
    await expect.poll(() => waiting.length).toBe(200);
    for (const go of waiting) go();
    const answers = await Promise.all(floods);
    expect(answers.map(count)).toEqual([
      [100, 10],
      [100, 10],
      [0, 110],
    ]);
    expect(sent).toHaveLength(200);
    const next = ask(shop('next'), third);
    await expect.poll(() => waiting.length).toBe(201);
    waiting[200]?.();
    expect((await next).kind).toBe('observed');
  });
});

describe('the nonces of a client', () => {
  it('are remembered for two minutes', async () => {
    const { state, answer, sent } = world();
    const note = requestNote();
    expect((await answer(note)).kind).toBe('observed');
    state.ms = 120_000;
    expect((await answer(note)).kind).toBe('replayed');
    state.ms = 120_001;
    // By then the clock refuses it.
    state.now = later(120_001);
    expect((await answer(note)).kind).toBe('clock');
    expect(sent).toHaveLength(1);
  });

  it('are so many at most; another client has its own', () => {
    const watch = { ms: 0 };
    const nonces = createSeenNonces(() => watch.ms);
    for (let n = 0; n < 8_192; n += 1) expect(nonces.take('a', `${n}`)).toBe('new');
    expect(nonces.take('a', 'one more')).toBe('full');
    expect(nonces.take('a', '0')).toBe('seen');
    expect(nonces.take('b', '0')).toBe('new');
    watch.ms = 120_001;
    expect(nonces.take('a', 'one more')).toBe('new');
  });

  it('count before the URL is looked at, so that a refusal cannot be tried twice', async () => {
    const { answer } = world();
    const note = requestNote({ url: 'shop' });
    expect((await answer(note)).kind).toBe('bad_url');
    expect((await answer(note)).kind).toBe('replayed');
  });
});

it('an observation that is too long is not sent', async () => {
  const offer = { scheme: 'exact', network: 'base', asset: 'x'.repeat(128), payTo: 'y'.repeat(128) };
  const accepts = Array.from({ length: 64 }, (_, n) => ({ ...offer, amount: `${n}${'9'.repeat(70)}` }));
  const body = new TextEncoder().encode(JSON.stringify({ x402Version: 2, accepts }));
  const header: [string, string] = ['payment-required', Buffer.from(body).toString('base64')];
  const other = new TextEncoder().encode(JSON.stringify({ x402Version: 1, accepts: accepts.toReversed() }));
  const vantage = createVantage({
    ...{ signer: SIGNER, clients: [CLIENT.key], now: () => NOON, stopwatch: () => 0 },
    prober: {
      locate: async ({ host }) => ({ kind: 'located', host, addresses: ['93.184.216.34'], leftMs: 1 }),
      probe: async () => answered({ status: 402, headers: [header], body: other }),
    },
  });
  expect(await vantage.answer(requestNote())).toEqual({ kind: 'too_large' });
});
