import { expect, it } from 'vitest';
import { wait } from './wait.ts';

it('waits, and not a moment longer than somebody wants it to', async () => {
  const calledOff = new AbortController();
  const started = performance.now();
  await wait(20, calledOff.signal);
  expect(performance.now() - started).toBeGreaterThanOrEqual(19);
  const waiting = wait(3_600_000, calledOff.signal);
  calledOff.abort();
  await waiting;
  await wait(3_600_000, calledOff.signal);
});
