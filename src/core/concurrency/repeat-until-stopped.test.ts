import { expect, it } from 'vitest';
import { repeatUntilStopped } from './repeat-until-stopped.ts';

/** Rounds, of which those marked with x fail, and the pauses and events between them. */
async function repeat(rounds: string): Promise<string> {
  const left = [...rounds];
  const events: string[] = [];
  const round = async () => {
    if (left.shift() === 'x') throw new Error('down');
  };
  await repeatUntilStopped(5_000, round, {
    isStopped: () => left.length === 0,
    pause: async (milliseconds) => void events.push(String(milliseconds)),
    onFault: (fault, inARow) => void events.push(`${String(fault)} (${inARow})`),
    onRecovered: () => void events.push('recovered'),
  });
  return events.join(', ');
}

it.each([
  ['pauses between rounds', '...', '5000, 5000'],
  ['retries after a second', 'x..', 'Error: down (1), 1000, recovered, 5000'],
  [
    'counts faults in a row',
    'x.x.',
    'Error: down (1), 1000, recovered, 5000, Error: down (1), 1000, recovered',
  ],
  ['does not pause when stopped', 'x', 'Error: down (1)'],
])('%s', async (_, rounds, events) => {
  expect(await repeat(rounds)).toBe(events);
});

it('doubles the pause after every fault in a row, up to 30 seconds', async () => {
  const pauses = (await repeat('xxxxxxx.')).match(/\b\d{4,5}\b/g);
  expect(pauses).toEqual(['1000', '2000', '4000', '8000', '16000', '30000', '30000']);
});
