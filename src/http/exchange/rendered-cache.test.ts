import { describe, expect, it } from 'vitest';
import { type Rendered, rendered } from './answer.ts';
import { createRenderedCache } from './rendered-cache.ts';

const page = (bytes: number) => rendered('x'.repeat(bytes), 'text/plain', {});
/** An entry of 3,000 bytes with its headers and a key of one letter. */
const ENTRY = page(1_999);

function counting(value: Rendered | string | null = ENTRY) {
  const calls: string[] = [];
  const of = (key: string) => async () => {
    calls.push(key);
    return value;
  };
  return { calls, of };
}

describe('a cache of rendered bodies', () => {
  it('renders once, and drops the least recently used beyond its bytes', async () => {
    const cache = createRenderedCache({ maxBytes: 6_000 });
    const { calls, of } = counting();
    for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) expect(await cache(key, of(key))).toBe(ENTRY);
    expect(calls).toEqual(['a', 'b', 'c', 'b']);
  });

  it('answers with a body that is too large to keep', async () => {
    const cache = createRenderedCache({ maxBytes: 2_999 });
    const { calls, of } = counting();
    for (const key of ['a', 'a']) expect(await cache(key, of(key))).toBe(ENTRY);
    expect(calls).toEqual(['a', 'a']);
  });

  it.each([null, 'busy'])('does not keep %s', async (value) => {
    const cache = createRenderedCache<Rendered | string | null>({ maxBytes: 6_000 });
    const { calls, of } = counting(value);
    for (const key of ['a', 'a']) expect(await cache(key, of(key))).toBe(value);
    expect(calls).toEqual(['a', 'a']);
  });

  it('keeps a body for the given time', async () => {
    const clock = { now: new Date('2026-11-15T12:00:00.000Z') };
    const cache = createRenderedCache({ maxBytes: 6_000, fresh: { forMs: 1_000, now: () => clock.now } });
    const { calls, of } = counting();
    for (const ms of [0, 999, 1_000]) {
      clock.now = new Date(Date.parse('2026-11-15T12:00:00.000Z') + ms);
      await cache('a', of(`after ${ms}`));
    }
    expect(calls).toEqual(['after 0', 'after 1000']);
  });

  it.each([
    ['is over sooner than it is fresh', 400, [399], ['after 0', 'after 400']],
    ['is over at once', 1, [], ['after 0', 'after 1']],
    ['is over later than it is fresh', 5_000, [999], ['after 0']],
  ])('keeps a body no longer than it is true: %s', async (_, overMs, kept, rendered) => {
    const start = Date.parse('2026-11-15T12:00:00.000Z');
    const clock = { now: new Date(start) };
    const cache = createRenderedCache({ maxBytes: 6_000, fresh: { forMs: 1_000, now: () => clock.now } });
    const { calls, of } = counting({ ...ENTRY, until: new Date(start + overMs) });
    for (const ms of [0, ...kept, ...(overMs < 1_000 ? [overMs] : [])]) {
      clock.now = new Date(start + ms);
      await cache('a', of(`after ${ms}`));
    }
    expect(calls).toEqual(rendered);
  });

  it('keeps no body until a clock that was set back has caught up (L76)', async () => {
    const start = Date.parse('2026-11-15T12:00:00.000Z');
    const clock = { now: new Date(start) };
    const cache = createRenderedCache({ maxBytes: 6_000, fresh: { forMs: 1_000, now: () => clock.now } });
    const { calls, of } = counting();
    for (const ms of [0, -999, -3_600_000]) {
      clock.now = new Date(start + ms);
      await cache('a', of(`after ${ms}`));
    }
    expect(calls).toEqual(['after 0', 'after -3600000']);
  });

  it('shares one rendering among concurrent callers and forgets a failure', async () => {
    const cache = createRenderedCache({ maxBytes: 6_000 });
    const failing = async () => {
      calls.push('failing');
      throw new Error('the store is away');
    };
    const { calls, of } = counting();
    const both = await Promise.allSettled([cache('a', failing), cache('a', of('late'))]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await cache('a', of('again'))).toBe(ENTRY);
    expect(calls).toEqual(['failing', 'again']);
  });
});
