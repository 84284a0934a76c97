import { expect, it } from 'vitest';
import { createPaint } from '../../../cli/show/paint.ts';
import type { Said, Step } from './steps.ts';
import { walkSteps } from './walk-steps.ts';

const step = (more: Partial<Step> = {}): Step => ({
  title: 'A step',
  why: 'Because.',
  command: () => ({ kind: 'assay', words: ['check', 'x'] }),
  holds: ({ code }) => code === 0,
  ...more,
});

async function walk(steps: readonly Step[], answers: readonly Said[], stop = new AbortController()) {
  const [printed, notes, left] = [[] as string[], [] as string[], [...answers]];
  const output = {
    print: (text: string) => void printed.push(text),
    json: () => {},
    note: () => {},
    fail: (reason: string): 1 => {
      notes.push(reason);
      return 1;
    },
  };
  const run = async () => left.shift() ?? { code: null, text: 'nothing is left' };
  const code = await walkSteps(steps, { output, paint: createPaint(false), run, stop: stop.signal });
  return { code, shown: printed.join('\n'), notes };
}

it('shows the command and what it really said', async () => {
  const { code, shown } = await walk([step()], [{ code: 0, text: 'real words\n' }]);
  expect(code).toBe(0);
  expect(shown).toContain('1 of 1  A step\nBecause.\n\n$ npx assay check x\nreal words\n');
  expect(shown).toContain('WHAT NEXT');
});

it('ends with 1 at the first step that does not do what it says', async () => {
  const answers = [
    { code: 0, text: '' },
    { code: 5, text: 'away' },
  ];
  const { code, shown, notes } = await walk([step(), step(), step()], answers);
  expect([code, notes]).toEqual([1, ['step 2 did not do what it says (exit code 5)']]);
  expect(shown).not.toContain('3 of 3');
  expect(shown).not.toContain('WHAT NEXT');
});

it('gives a later step what earlier ones said, and waits for what takes a moment', async () => {
  const seen: string[][] = [];
  const late = step({
    command: (before) => {
      seen.push(before.map(({ text }) => text));
      return { kind: 'assay', words: [] };
    },
    isEarly: ({ code }) => code === 3,
  });
  const answers = [
    { code: 0, text: 'first' },
    { code: 3, text: 'not yet' },
    { code: 0, text: 'now' },
  ];
  expect((await walk([step(), late], answers)).code).toBe(0);
  expect(seen).toEqual([['first']]);
});

it('stops when it is told to', async () => {
  const stop = new AbortController();
  stop.abort();
  expect((await walk([step()], [], stop)).code).toBe(130);
});
