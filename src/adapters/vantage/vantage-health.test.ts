import { expect, it } from 'vitest';
import { CRAWL_SHARE, createVantageHealth, type TurnEnd } from './vantage-health.ts';

function world() {
  const watch = { ms: 0 };
  const changes: boolean[] = [];
  const health = createVantageHealth(
    () => watch.ms,
    (isAnswering) => changes.push(isAnswering),
  );
  const turn = (end: TurnEnd) => {
    const begun = health.begin();
    if (typeof begun === 'string') return begun;
    begun.end(end);
    return end;
  };
  return { watch, changes, health, turn };
}

it('leaves a vantage alone after five failures in a row, each time for longer, up to a minute', () => {
  const { watch, changes, turn } = world();
  for (const end of ['failed', 'failed', 'failed', 'failed', 'answered'] as const) turn(end);
  for (let n = 0; n < 4; n += 1) expect(turn('failed')).toBe('failed');
  expect(changes).toEqual([]);
  expect([turn('failed'), turn('failed')]).toEqual(['failed', 'paused']);
  const pauses: number[] = [];
  for (let n = 0; n < 9; n += 1) {
    const from = watch.ms;
    while (turn('failed') === 'paused') watch.ms += 500;
    pauses.push(watch.ms - from);
  }
  expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);
  expect(changes).toEqual([false]);
});

it('lets one request try when a pause is over, and all when it was answered', () => {
  const { watch, changes, health, turn } = world();
  for (let n = 0; n < 5; n += 1) turn('failed');
  watch.ms = 1_000;
  const trial = health.begin();
  expect(health.begin()).toBe('paused');
  if (typeof trial === 'string') throw new Error('it should try');
  trial.end('answered');
  expect(changes).toEqual([false, true]);
  for (let n = 0; n < 4; n += 1) turn('failed');
  expect(turn('answered')).toBe('answered');
});

it('a trial that nobody waits for says nothing', () => {
  const { watch, changes, turn } = world();
  for (let n = 0; n < 5; n += 1) turn('failed');
  watch.ms = 1_000;
  expect([turn('unknown'), turn('failed'), turn('failed')]).toEqual(['unknown', 'failed', 'paused']);
  expect(changes).toEqual([false]);
});

it('requests that fail together are one pause', () => {
  const { watch, health, turn } = world();
  const begun = Array.from({ length: 20 }, () => health.begin());
  for (const one of begun) if (typeof one !== 'string') one.end('failed');
  watch.ms = 999;
  expect(turn('failed')).toBe('paused');
  watch.ms = 1_000;
  expect(turn('answered')).toBe('answered');
});

it('has 64 under way at most', () => {
  const { health } = world();
  const begun = Array.from({ length: 64 }, () => health.begin());
  expect(begun.every((one) => typeof one !== 'string')).toBe(true);
  expect(health.begin()).toBe('busy');
  const [first] = begun;
  if (typeof first === 'object') first.end('answered');
  expect(health.begin()).not.toBe('busy');
});

it('leaves most of a vantage to checks while the crawl asks', () => {
  const watch = { ms: 0 };
  const crawl = createVantageHealth(
    () => watch.ms,
    () => {},
    CRAWL_SHARE,
  );
  const turns = Array.from({ length: 17 }, () => crawl.begin());
  expect(turns.map((turn) => typeof turn === 'string')).toEqual([...Array(16).fill(false), true]);
  for (const turn of turns) if (typeof turn !== 'string') turn.end('answered');
  const ask = () => {
    const turn = crawl.begin();
    if (typeof turn !== 'string') turn.end('answered');
    return turn === 'busy';
  };
  expect(Array.from({ length: 225 }, ask).filter(Boolean)).toHaveLength(1);
  watch.ms = 60_000;
  expect(ask()).toBe(false);
});
