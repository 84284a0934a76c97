import { describe, expect, it } from 'vitest';
import { signal } from './signal.ts';

describe('a signal', () => {
  it('wakes everybody who waits', async () => {
    const { fire, next } = signal();
    const waiting = [next(), next()];
    fire();
    expect(await Promise.all(waiting)).toEqual([undefined, undefined]);
  });

  it('is armed again after it fired', async () => {
    const { fire, next } = signal();
    fire();
    let isAwake = false;
    const waiting = next().then(() => {
      isAwake = true;
    });
    await Promise.resolve();
    expect(isAwake).toBe(false);
    fire();
    await waiting;
    expect(isAwake).toBe(true);
  });

  it('hands the same promise to all who wait for one firing', () => {
    const { next } = signal();
    expect(next()).toBe(next());
  });
});
