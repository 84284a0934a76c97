import { describe, expect, it } from 'vitest';
import { memoryPlaces } from '../../../test/support/memory-places.ts';
import { memoryCounters, memoryProbeCache } from '../../../test/support/storing/memory-stores.ts';
import { answered, ENTRY, paywall } from '../../../tools/samples/challenge.ts';
import { target } from '../../../tools/samples/listed.ts';
import type { ProbeOutcome } from '../../core/verdict/probe-outcome.ts';
import { createFindProbe, createProbeOnce } from '../probe-once.ts';
import { createHostSlots } from './host-slots.ts';

const NOON = new Date('2026-11-15T12:00:10.000Z');
const later = (seconds: number) => new Date(NOON.getTime() + seconds * 1_000);

function world(outcome: () => Promise<ProbeOutcome> = async () => paywall([ENTRY])) {
  const sent: string[] = [];
  const state = { now: NOON };
  const cache = memoryProbeCache();
  const reuse = { cache, now: () => state.now, keyOf: (text: string) => `hash of ${text}` };
  const probeOnce = createProbeOnce({
    ...reuse,
    prober: {
      probe: ({ target: { normalized }, method }) => {
        sent.push(`${method} ${normalized}`);
        return outcome();
      },
    },
    counters: memoryCounters(),
    slots: createHostSlots({ perHost: 3, total: 100 }),
    ...memoryPlaces().parts,
    probesPerHostMinute: 30,
  });
  const get = (url: string) => probeOnce({ target: target(url), method: 'GET' });
  return { sent, state, cache, probeOnce, findProbe: createFindProbe(reuse), get };
}

describe('probe reuse (G39)', () => {
  it('sends one request for one URL in five minutes, however it is spelled', async () => {
    const { get, sent, state } = world();
    expect(await get('https://a.example/x?b=1&a=2')).toMatchObject({ cached: false, probedAt: NOON });
    state.now = later(300);
    expect(await get('https://A.example:443/x/?a=2&b=1#f')).toMatchObject({ cached: true, probedAt: NOON });
    state.now = later(301);
    expect(await get('https://a.example/x?a=2&b=1')).toMatchObject({ cached: false, probedAt: later(301) });
    expect(sent).toHaveLength(2);
  });

  it('takes what was found before, and asks again before it sends anything', async () => {
    const { probeOnce, findProbe, sent } = world();
    const request = { target: target('https://a.example/x'), method: 'GET' } as const;
    const early = findProbe(request);
    expect(await early).toBeNull();
    await probeOnce(request);
    // Found nothing when it was asked, but there is something by now.
    expect(await probeOnce(request, { stored: early })).toMatchObject({ cached: true });
    const known = await findProbe(request);
    const elsewhere = { target: target('https://a.example/x'), method: 'POST' } as const;
    expect(await probeOnce(elsewhere, { stored: Promise.resolve(known) })).toMatchObject({ cached: true });
    expect(sent).toEqual(['GET https://a.example/x']);
  });

  it('keeps GET and POST apart', async () => {
    const { probeOnce, sent } = world();
    await probeOnce({ target: target('https://a.example/x'), method: 'GET' });
    await probeOnce({ target: target('https://a.example/x'), method: 'POST' });
    expect(sent).toEqual(['GET https://a.example/x', 'POST https://a.example/x']);
  });

  it('reuses failures as well, so that a hanging target is not hammered', async () => {
    const { get, sent } = world(async () => ({ kind: 'timed_out' }));
    await get('https://a.example/x');
    expect(await get('https://a.example/x')).toMatchObject({
      observation: { kind: 'timed_out' },
      cached: true,
    });
    expect(sent).toHaveLength(1);
  });

  it('probes again when the caller cannot use what is stored', async () => {
    const { probeOnce, sent } = world();
    const request = { target: target('https://a.example/x'), method: 'GET' } as const;
    await probeOnce(request);
    expect(await probeOnce(request, { isUsable: () => false })).toMatchObject({ cached: false });
    expect(sent).toHaveLength(2);
  });

  it('does not let an odd spelling make a seller look dead (L13)', async () => {
    const answers = [answered({ status: 404 }), paywall([ENTRY])];
    const { get, sent } = world(async () => answers.shift() ?? answered());
    expect(await get('https://a.example/x//')).toMatchObject({ observation: { status: 404 } });
    expect(await get('https://a.example/x')).toMatchObject({ observation: { status: 402 }, cached: false });
    expect(await get('https://a.example/x/')).toMatchObject({ observation: { status: 402 }, cached: true });
    expect(sent).toHaveLength(2);
  });

  it('keeps requests with different bodies apart', async () => {
    const { probeOnce, sent } = world();
    const request = { target: target('https://a.example/x'), method: 'POST' } as const;
    await probeOnce({ ...request, body: '{"q":"sd"}' });
    await probeOnce({ ...request, body: '{"q":"hd"}' });
    expect(sent).toHaveLength(2);
  });

  it('does not give a caller who joins what that caller refuses', async () => {
    const { probeOnce, sent } = world();
    const request = { target: target('https://a.example/x'), method: 'GET' } as const;
    await probeOnce(request);
    const [, second] = await Promise.all([probeOnce(request), probeOnce(request, { isUsable: () => false })]);
    expect(second).toMatchObject({ cached: false });
    expect(sent).toHaveLength(2);
  });

  it('is five minutes old also where the store does not have it yet', async () => {
    const { get, cache, sent, state } = world();
    let kept = () => {};
    const keeping = new Promise<void>((resolve) => (kept = resolve));
    cache.keep = () => keeping;
    await get('https://a.example/x');
    state.now = later(301);
    const next = get('https://a.example/x');
    kept();
    expect(await next).toMatchObject({ cached: false, probedAt: later(301) });
    expect(sent).toHaveLength(2);
  });

  it('lets whoever refuses it ask only once the store has what was found', async () => {
    const { probeOnce, get, cache, sent } = world();
    let kept = () => {};
    const keeping = new Promise<void>((resolve) => (kept = resolve));
    cache.keep = () => keeping;
    await get('https://a.example/x');
    const request = { target: target('https://a.example/x'), method: 'GET' } as const;
    const picky = probeOnce(request, { isUsable: () => false });
    await new Promise((done) => setImmediate(done));
    expect(sent).toHaveLength(1);
    kept();
    expect([await picky, sent.length]).toMatchObject([{ cached: false }, 2]);
  });

  it('holds no URL in the store', async () => {
    const { get, cache } = world();
    await get('https://a.example/x?token=secret');
    expect([...cache.kept.keys()]).toEqual(['GET hash of https://a.example/x?token=secret']);
  });
});

describe('protecting the target (G38)', () => {
  it('makes one flight of a hundred calls, and only one of them caused it', async () => {
    const { get, sent } = world();
    const results = await Promise.all(Array.from({ length: 100 }, () => get('https://a.example/x')));
    expect(sent).toHaveLength(1);
    expect(results.filter((result) => result.kind === 'probe' && !result.cached)).toHaveLength(1);
  });

  it('has three requests under way to one host and port, and refuses the fourth', async () => {
    let finish = () => {};
    const held = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const { get, cache } = world(async () => {
      await held;
      return answered();
    });
    const first = ['/1', '/2', '/3'].map((path) => get(`https://a.example${path}`));
    expect(await get('https://a.example/4')).toEqual({
      kind: 'rate_limited',
      retryAfterSeconds: 1,
      by: 'target',
    });
    const elsewhere = get('https://a.example:8443/1');
    finish();
    await Promise.all([...first, elsewhere]);
    expect(cache.kept.size).toBe(4); // Our own overload is not stored.
    expect(await get('https://a.example/4')).toMatchObject({ kind: 'probe' });
  });

  it('sends thirty new requests a minute to one host and port', async () => {
    const { get, state, sent } = world();
    for (let path = 0; path < 30; path += 1) await get(`https://a.example/${path}`);
    expect(await get('https://a.example/30')).toEqual({
      kind: 'rate_limited',
      retryAfterSeconds: 50,
      by: 'target',
    });
    expect(await get('https://a.example/0')).toMatchObject({ cached: true });
    state.now = later(50);
    expect(await get('https://a.example/30')).toMatchObject({ cached: false });
    expect(sent).toHaveLength(31);
  });

  it('gives the place back when the prober itself breaks, and stores nothing', async () => {
    let broken = true;
    const { get, cache } = world(async () => {
      if (broken) throw new Error('our own fault');
      return answered();
    });
    for (let call = 0; call < 4; call += 1)
      await expect(get('https://a.example/x')).rejects.toThrow('our own fault');
    expect(cache.kept.size).toBe(0);
    broken = false;
    expect(await get('https://a.example/x')).toMatchObject({ kind: 'probe', cached: false });
  });
});

describe('odd spellings of one URL', () => {
  it('do not queue behind each other without end: after two, a caller is asked to come back', async () => {
    const waiting: (() => void)[] = [];
    const { get, sent } = world(
      () => new Promise((resolve) => waiting.push(() => resolve({ kind: 'timed_out' }))),
    );
    const spellings = ['x', 'x/', 'x//', 'x///', 'x////'].map((path) => get(`https://a.example/${path}`));
    const settle = async () => {
      for (let turn = 0; turn < 20; turn += 1) await null;
    };
    for (let probe = 0; probe < 3; probe += 1) {
      await settle();
      for (const answer of waiting.splice(0)) answer();
    }
    const results = await Promise.all(spellings);
    expect(results.map((result) => result.kind)).toEqual([
      'probe',
      'probe',
      'probe',
      'rate_limited',
      'rate_limited',
    ]);
    expect(sent).toHaveLength(3);
  });

  it('and a caller whose own budget is empty keeps nobody else from asking', async () => {
    const { probeOnce, get } = world();
    const empty = { key: 'quotes:me', window: '2026-11-15T12', limit: 0 };
    const request = { target: target('https://a.example/x'), method: 'GET' } as const;
    const [mine, other] = await Promise.all([
      probeOnce(request, { budget: empty }),
      get('https://a.example/x'),
    ]);
    expect(mine).toEqual({ kind: 'rate_limited', by: 'caller', retryAfterSeconds: 3_590 });
    expect(other).toMatchObject({ kind: 'probe', cached: false });
  });
});

it('dates a probe by its answer, because the time to sign begins when the seller asks', async () => {
  const { get, state } = world(async () => {
    state.now = later(4);
    return paywall([ENTRY]);
  });
  expect(await get('https://a.example/x')).toMatchObject({ probedAt: later(4) });
});
