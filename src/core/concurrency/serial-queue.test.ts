import { describe, expect, it } from 'vitest';
import { serialQueue } from './serial-queue.ts';

describe('a serial queue', () => {
  it('starts the next work when the one before has ended, in the order of the calls', async () => {
    const steps: string[] = [];
    const inTurn = serialQueue();
    const step = (name: string) => async () => {
      steps.push(`${name} starts`);
      await Promise.resolve();
      steps.push(`${name} ends`);
      return name;
    };
    expect(await Promise.all([inTurn(step('a')), inTurn(step('b'))])).toEqual(['a', 'b']);
    expect(steps).toEqual(['a starts', 'a ends', 'b starts', 'b ends']);
  });

  it('goes on after a failure, which only its own caller sees', async () => {
    const inTurn = serialQueue();
    const failed = inTurn(() => Promise.reject(new Error('down')));
    const next = inTurn(async () => 'up');
    await expect(failed).rejects.toThrow('down');
    expect(await next).toBe('up');
  });

  it('turns a synchronous throw into a rejection', async () => {
    const inTurn = serialQueue();
    const failed = inTurn(() => {
      throw new Error('at once');
    });
    await expect(failed).rejects.toThrow('at once');
    expect(await inTurn(async () => 1)).toBe(1);
  });
});
