import { expect, it } from 'vitest';
import { createStops } from './stops.ts';

it('stops everything once, also what comes after one that fails', async () => {
  const stops = createStops();
  const stopped: string[] = [];
  const fault = new Error('stuck');
  stops.add(() => Promise.reject(fault));
  stops.add(async () => {
    stopped.push('second');
  });
  await expect(stops.stopAll()).rejects.toThrow(
    new Error('some parts could not be stopped', { cause: fault }),
  );
  expect(stopped).toEqual(['second']);
  await stops.stopAll();
  expect(stopped).toEqual(['second']);
});
