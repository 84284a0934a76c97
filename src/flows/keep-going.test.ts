import { expect, it } from 'vitest';
import { keepGoing } from '../core/concurrency/repeat-until-stopped.ts';

/** Rounds that fail where it says so, and what was waited and said. */
async function going(fails: string): Promise<string> {
  const left = [...fails];
  const told: string[] = [];
  const round = async () => {
    if (left.shift() === 'x') throw new Error('the store is away');
  };
  await keepGoing(5_000, round, {
    isStopped: () => left.length === 0,
    pause: async (milliseconds) => void told.push(String(milliseconds)),
    onFault: (fault) => void told.push(String(fault)),
    onRecovered: () => void told.push('going on'),
  });
  return told.join(', ');
}

it.each([
  ['waits its time between rounds', '...', '5000, 5000'],
  ['goes on after a fault, soon', 'x..', 'Error: the store is away, 1000, going on, 5000'],
  [
    'waits longer after every fault in a row, half a minute at most, and tells of the first',
    'xxxxxxx..',
    'Error: the store is away, 1000, 2000, 4000, 8000, 16000, 30000, 30000, going on, 5000',
  ],
  ['does not wait when it is stopped', 'x', 'Error: the store is away'],
])('%s', async (_, fails, told) => {
  expect(await going(fails)).toBe(told);
});
