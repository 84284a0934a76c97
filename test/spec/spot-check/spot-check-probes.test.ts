import { describe, expect, it } from 'vitest';
import { ENTRY, header } from '../../../tools/samples/challenge.ts';
import {
  asking,
  checkOf,
  EXEMPT,
  expectProblem,
  priceIn,
  sellerWith,
  useService,
} from '../../support/asking.ts';
import { httpAnswer, type Script } from '../../support/probing/fake-seller.ts';
import { CROWDED, DOORS, freshAddress } from '../../support/running/running-service.ts';

/** Asks one cent the first time and a dollar ever after. */
function fickle(): Script {
  const seen = new Set<string>();
  const rest = sellerWith({ patient: asking({ maxTimeoutSeconds: 600 }) });
  return (socket, request) => {
    const path = /^\S+ (\S+)/.exec(request)?.[1] ?? '';
    if (!path.startsWith('/fickle')) return rest(socket, request);
    const amount = seen.has(path) ? '1000000' : '10000';
    seen.add(path);
    socket.end(
      httpAnswer(402, [header({ x402Version: 2, accepts: [{ ...ENTRY, amount, maxTimeoutSeconds: 600 }] })]),
    );
  };
}

describe.each(DOORS)('one probe for five minutes, through the %s', (door) => {
  const service = useService({
    door,
    seller: fickle(),
    timeoutMs: 3_000,
    settings: { PROBES_PER_HOST_MINUTE: '1000' },
  });
  const check = async (url: string, parameters: Record<string, string> = {}) =>
    (await service.ask(checkOf(url, parameters), { headers: EXEMPT })).json;
  const sentTo = (path: string) =>
    service.sellerRequests.filter((request) => request.includes(` ${path} `)).length;

  it('consecutive calls agree, and the target sees one request', async () => {
    const url = 'http://seller.example/fickle-1';
    const first = await check(url);
    service.at('2026-11-15T12:04:59.000Z');
    const second = await check(url);
    expect([first.quoted_price_usd, second.quoted_price_usd]).toEqual([0.01, 0.01]);
    expect([first.probe, second.probe]).toEqual([
      { probed_at: '2026-11-15T12:00:00.000Z', cached: false, cache_ttl_s: 300 },
      { probed_at: '2026-11-15T12:00:00.000Z', cached: true, cache_ttl_s: 300 },
    ]);
    expect(second.receipt_id).not.toBe(first.receipt_id);
    expect(sentTo('/fickle-1')).toBe(1);
  });

  it('is asked again when a clock an hour ahead had dated the probe, and that one is reused (L76)', async () => {
    const url = 'http://seller.example/fickle-clock';
    service.at('2026-11-15T13:00:00.000Z');
    expect((await check(url)).quoted_price_usd).toBe(0.01);
    service.at('2026-11-15T12:00:00.000Z');
    const { quoted_price_usd: quoted, probe } = await check(url);
    expect([quoted, probe.probed_at, probe.cached]).toEqual([1, '2026-11-15T12:00:00.000Z', false]);
    service.at('2026-11-15T12:01:00.000Z');
    expect((await check(url)).probe.cached).toBe(true);
    expect(sentTo('/fickle-clock')).toBe(2);
  });

  it('judges a reused probe as of its own time, deadline included (G39)', async () => {
    const url = 'http://seller.example/patient';
    await check(url);
    service.at('2026-11-15T12:03:00.000Z');
    expect((await check(url)).payment.deadline).toBe('2026-11-15T12:10:00.000Z');
  });

  it('asks again after five minutes', async () => {
    const url = 'http://seller.example/fickle-2';
    await check(url);
    service.at('2026-11-15T12:05:00.001Z');
    const later = await check(url);
    expect([later.quoted_price_usd, later.probe.cached]).toEqual([1, false]);
    expect(sentTo('/fickle-2')).toBe(2);
  });

  it('asks again when little time is left to sign the terms (G39, G103)', async () => {
    const url = 'http://seller.example/honest?expired';
    await check(url);
    service.at('2026-11-15T12:00:30.000Z');
    expect((await check(url)).probe.cached).toBe(true);
    service.at('2026-11-15T12:00:30.001Z');
    const fresh = await check(url);
    expect(fresh.probe).toMatchObject({ probed_at: '2026-11-15T12:00:30.001Z', cached: false });
    expect(fresh.payment.deadline).toBe('2026-11-15T12:01:30.001Z');
  });

  it.each(['down', 'slow', 'reset', 'no-paywall', 'broken'])('reuses every outcome: %s', async (path) => {
    const url = `http://seller.example/${path}?kept`;
    const first = await check(url);
    service.at('2026-11-15T12:04:00.000Z');
    const second = await check(url);
    expect([second.reason, second.probe.cached]).toEqual([first.reason, true]);
    expect(sentTo(`/${path}?kept`)).toBe(1);
  });

  it.each<[string, string, boolean]>([
    ['capitals', 'HTTP://SELLER.example/honest?b=1&a=2', true],
    ['the default port', 'http://seller.example:80/honest?b=1&a=2', true],
    ['a fragment', 'http://seller.example/honest?b=1&a=2#top', true],
    ['a trailing slash', 'http://seller.example/honest/?b=1&a=2', true],
    ['another order of the query (G93)', 'http://seller.example/honest?a=2&b=1', true],
    ['another value', 'http://seller.example/honest?b=1&a=3', false],
    ['another path', 'http://seller.example/Honest?b=1&a=2', false],
    ['another port', 'http://seller.example:8080/honest?b=1&a=2', false],
  ])('shares it by the normalised URL: %s', async (_, url, cached) => {
    await check('http://seller.example/honest?b=1&a=2');
    expect((await check(url)).probe.cached).toBe(cached);
  });

  it('does not share it between GET and POST', async () => {
    const url = 'http://seller.example/honest?methods';
    await check(url);
    expect((await check(url, { method: 'POST' })).probe.cached).toBe(false);
    expect((await check(url, { method: 'POST' })).probe.cached).toBe(true);
  });

  it('shares the probe and never the comparison', async () => {
    const url = 'http://seller.example/honest?compared';
    expect((await check(url, { claimed_price: '5' })).reason).toBe('price_mismatch');
    const other = await check(url, { claimed_price: '0.01' });
    expect([other.reason, other.probe.cached]).toEqual(['price_ok', true]);
  });

  it('shares it between all tiers and modes', async () => {
    const url = 'http://seller.example/honest?tiers';
    const from = freshAddress();
    await service.ask(checkOf(url, { mode: 'dry-run' }), { from });
    await service.ask(checkOf(url), { from });
    expect(priceIn(await service.ask(checkOf(url), { from }))).toBe('10000');
    expect((await check(url)).probe.cached).toBe(true);
    expect(sentTo('/honest?tiers')).toBe(1);
  });

  it('sends one request for 50 callers at once (G38)', async () => {
    const url = 'http://seller.example/honest?crowd';
    const answers = await Promise.all(Array.from({ length: 50 }, () => service.ask(checkOf(url))));
    expect(answers.every(({ status, json }) => status === 200 && json.verdict === 'pay')).toBe(true);
    expect(sentTo('/honest?crowd')).toBe(1);
  });
});

describe.each(DOORS)('what protects a target (G38), through the %s', (door) => {
  const service = useService({ door, timeoutMs: 3_000 });
  const honest = (n: number, host = 'victim.example') => checkOf(`http://${host}/honest?n=${n}`);
  const reached = (host: string) => service.sellerRequests.filter((request) => request.includes(host)).length;

  it('429 over 30 new probes a minute, unmetered, whoever asks', async () => {
    const from = freshAddress();
    for (let n = 0; n < 30; n += 1) {
      const sent = n % 2 === 0 ? {} : { headers: EXEMPT };
      expect((await service.ask(honest(n), sent)).status).toBe(200);
    }
    for (const mode of ['live', 'dry-run']) {
      const answer = await service.ask(`${honest(31)}&mode=${mode}`, { from });
      expectProblem(answer, 429, 'target_busy');
      expect(answer.header('retry-after')).toBe('60');
    }
    expectProblem(await service.ask(honest(31), { from, headers: EXEMPT }), 429, 'target_busy');
    expect(reached('victim.example')).toBe(30);
    // What is known already, and another port, are not part of it.
    expect((await service.ask(honest(0))).status).toBe(200);
    expect((await service.ask(honest(31, 'victim.example:8080'))).status).toBe(200);
    service.at('2026-11-15T12:01:00.000Z');
    expect((await service.ask(honest(31), { from })).json.access.free_used_today).toBe(1);
    const dryRun = await service.ask(`${honest(31)}&mode=dry-run`, { from });
    expect(dryRun.json.access.free_used_today).toBe(1);
  });

  it('429 over 3 in flight, unmetered', async () => {
    const from = freshAddress();
    const slow = (n: number) => checkOf(`http://tired.example/slow?n=${n}`);
    const waiting = [1, 2, 3].map((n) => service.ask(slow(n)));
    while (reached('tired.example') < 3) await new Promise((resolve) => setImmediate(resolve));
    const answer = await service.ask(slow(4), { from });
    expectProblem(answer, 429, 'target_busy');
    expect(answer.header('retry-after')).toBe('1');
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await service.ask(checkOf('http://tired.example/honest'), { from })).json.verdict).toBe('pay');
    expect(reached('tired.example')).toBe(4);
  });
});

describe.each(DOORS)('unpaid prices (G31), through the %s', (door) => {
  const service = useService({ door, settings: { PRICED_PROBES_PER_HOUR: '2' } });
  const honest = (n: number) => checkOf(`http://seller.example/honest?n=${n}`);

  it('429 over so many new probes an hour for one address, and nothing is probed', async () => {
    const from = freshAddress();
    expect((await service.ask(honest(0), { from })).status).toBe(200);
    expect(priceIn(await service.ask(honest(1), { from }))).toBe('10000');
    expect(priceIn(await service.ask(honest(1), { from }))).toBe('10000');
    // The hour belongs to the address, so the client who runs out takes its whole free share first.
    await service.ask(`${honest(0)}&client=b`, { from });
    expect(priceIn(await service.ask(`${honest(2)}&client=b`, { from }))).toBe('10000');
    const answer = await service.ask(honest(3), { from });
    expectProblem(answer, 429, 'quote_limit');
    expect(answer.header('retry-after')).toBe('3600');
    expect(service.sellerRequests.filter((request) => request.includes('n=3'))).toEqual([]);
    expect(priceIn(await service.ask(honest(2), { from }))).toBe('10000');
    service.at('2026-11-15T13:00:00.000Z');
    expect(priceIn(await service.ask(honest(3), { from }))).toBe('10000');
  });
});

describe.each(DOORS)('unpaid prices without a setting (G31), through the %s', (door) => {
  const service = useService({ door, settings: CROWDED });

  it('are 60 new probes an hour', async () => {
    const from = freshAddress();
    const priced = (n: number) => service.ask(checkOf(`http://priced-${n}.example/honest`), { from });
    expect((await priced(0)).status).toBe(200);
    const answers = await Promise.all(Array.from({ length: 60 }, (_, index) => priced(index + 1)));
    expect(answers.every(({ status }) => status === 402)).toBe(true);
    expectProblem(await priced(61), 429, 'quote_limit');
  });
});
