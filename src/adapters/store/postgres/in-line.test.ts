import { expect, it } from 'vitest';
import { inLine } from './in-line.ts';

const turn = () => new Promise((done) => setImmediate(done));

it('tasks with a name in common run one after the other, also after one that failed; others do not wait', async () => {
  const line = inLine();
  const ran: string[] = [];
  const task = (name: string) => async () => {
    ran.push(`${name} starts`);
    await turn();
    ran.push(`${name} ends`);
    if (name === 'ab') throw new Error('not this time');
  };
  await Promise.allSettled([
    line(['a', 'b'], task('ab')),
    line(['b'], task('b')),
    line(['c'], task('c')),
    line([], task('none')),
    line(['b', 'c'], task('bc')),
  ]);
  const inTurn = (...names: string[]) => ran.filter((entry) => names.includes(entry.split(' ')[0] ?? ''));
  expect(inTurn('ab', 'b', 'bc')).toEqual([
    'ab starts',
    'ab ends',
    'b starts',
    'b ends',
    'bc starts',
    'bc ends',
  ]);
  expect(inTurn('c', 'bc')).toEqual(['c starts', 'c ends', 'bc starts', 'bc ends']);
  expect(ran.slice(0, 3)).toEqual(['ab starts', 'c starts', 'none starts']);
});
