import { describe, expect, it } from 'vitest';
import { NOON } from '../../../test/support/probing/probe-fleet.ts';
import { probeWorld as world } from '../../../test/support/probing/probe-world.ts';
import { answered, ENTRY, paywall } from '../../../tools/samples/challenge.ts';
import { target } from '../../../tools/samples/listed.ts';

const later = (seconds: number) => new Date(NOON.getTime() + seconds * 1_000);

/** Every end of a check waits until it is let go. */
function slowEnds(checks: ReturnType<typeof world>['checks']) {
  const { finish } = checks;
  let letGo = () => {};
  const gate = new Promise<void>((resolve) => (letGo = resolve));
  checks.finish = async (...end) => {
    await gate;
    await finish(...end);
  };
  return () => letGo();
}

describe('probe reuse (G39)', () => {
  it('sends one request for one URL in five minutes, however it is spelled', async () => {
    const { get, sent, state } = world();
    expect(await get('https://a.example/x?b=1&a=2')).toMatchObject({ cached: false, probedAt: NOON });
    state.now = later(299);
    expect(await get('https://A.example:443/x/?a=2&b=1#f')).toMatchObject({ cached: true, probedAt: NOON });
    state.now = later(301);
    expect(await get('https://a.example/x?a=2&b=1')).toMatchObject({ cached: false, probedAt: later(301) });
    expect(sent).toHaveLength(2);
  });

  it('finds what is five minutes old, and nothing older', async () => {
    const { get, findProbe, state } = world();
    const request = { target: target('https://a.example/x'), method: 'GET' } as const;
    await get('https://a.example/x');
    state.now = later(300);
    expect(await findProbe(request)).toMatchObject({ probedAt: NOON });
    state.now = later(301);
    expect(await findProbe(request)).toBeNull();
  });

  it('does not find what a wrong clock has dated ahead, and sends a request', async () => {
    const { get, findProbe, sent, state } = world();
    const request = { target: target('https://a.example/x'), method: 'GET' } as const;
    state.now = later(86_400);
    await get('https://a.example/x');
    state.now = later(86_400 - 300);
    expect(await findProbe(request)).toMatchObject({ probedAt: later(86_400) });
    state.now = later(0);
    expect(await findProbe(request)).toBeNull();
    expect(await get('https://a.example/x')).toMatchObject({ cached: false, probedAt: NOON });
    expect(sent).toHaveLength(2);
  });

  it('looks once more before it sends anything, for what its caller has not seen', async () => {
    const { get, findProbe, sent } = world();
    const request = { target: target('https://a.example/x'), method: 'GET' } as const;
    expect(await findProbe(request)).toBeNull();
    await get('https://a.example/x');
    // Its caller found nothing, but there is something by now.
    expect(await get('https://a.example/x', { stored: null })).toMatchObject({ cached: true });
    // And one that was found and cannot be used is not found again.
    const stored = await findProbe(request);
    expect(await get('https://a.example/x', { stored })).toMatchObject({ cached: false });
    expect(sent).toHaveLength(2);
  });

  it('keeps GET and POST apart', async () => {
    const { ask, sent } = world();
    await ask({ target: target('https://a.example/x'), method: 'GET' });
    await ask({ target: target('https://a.example/x'), method: 'POST' });
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
    const { get, sent } = world();
    await get('https://a.example/x');
    expect(await get('https://a.example/x', { isUsable: () => false })).toMatchObject({ cached: false });
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
    const { ask, sent } = world();
    const request = { target: target('https://a.example/x'), method: 'POST' } as const;
    await ask({ ...request, body: '{"q":"sd"}' });
    await ask({ ...request, body: '{"q":"hd"}' });
    expect(sent).toHaveLength(2);
  });

  it('does not give a caller who joins what that caller refuses', async () => {
    const { get, sent } = world();
    const [, second] = await Promise.all([
      get('https://a.example/x'),
      get('https://a.example/x', { isUsable: () => false }),
    ]);
    expect(second).toMatchObject({ cached: false });
    expect(sent).toHaveLength(2);
  });

  it('is five minutes old also where the store does not have it yet', async () => {
    const { get, checks, sent, state } = world();
    const letGo = slowEnds(checks);
    const first = get('https://a.example/x');
    while (sent.length < 1) await new Promise((done) => setImmediate(done));
    state.now = later(301);
    const next = get('https://a.example/x');
    letGo();
    await first;
    expect(await next).toMatchObject({ cached: false, probedAt: later(301) });
    expect(sent).toHaveLength(2);
  });

  it('is there for others before it is stored, and a caller that refuses it waits until it is', async () => {
    const { get, checks, sent } = world();
    const letGo = slowEnds(checks);
    const first = get('https://a.example/x');
    const picky = get('https://a.example/x', { isUsable: () => false });
    expect(await get('https://a.example/x')).toMatchObject({ cached: true });
    await new Promise((done) => setImmediate(done));
    expect(sent).toHaveLength(1);
    letGo();
    expect([await first, await picky]).toMatchObject([{ cached: false }, { cached: false }]);
    expect(sent).toHaveLength(2);
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
    expect(results.filter((result) => 'cached' in result && !result.cached)).toHaveLength(1);
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
    });
    expect(await get('https://a.example/0')).toMatchObject({ cached: true });
    state.now = later(50);
    expect(await get('https://a.example/30')).toMatchObject({ cached: false });
    expect(sent).toHaveLength(31);
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
});

it('dates a probe by its answer, because the time to sign begins when the seller asks', async () => {
  const { get, state } = world(async () => {
    state.now = later(4);
    return paywall([ENTRY]);
  });
  expect(await get('https://a.example/x')).toMatchObject({ probedAt: later(4) });
});
