import { describe, expect, it } from 'vitest';
import { createProgress, progressLine } from './progress.ts';

function screen(columns = 80) {
  const written: string[] = [];
  return { written, isTerminal: true, columns, write: (text: string) => written.push(text) };
}

describe('a bar', () => {
  it.each<[why: string, done: number, total: number | null, counts: [string, number][], line: string]>([
    ['before anything is known', 0, null, [], '[------------------------]  0/?'],
    ['at the beginning', 0, 4, [], '[------------------------]  0/4'],
    [
      'halfway',
      2,
      4,
      [
        ['pay', 1],
        ['skip', 1],
      ],
      '[############------------]  2/4  1 pay, 1 skip',
    ],
    ['at the end', 4, 4, [['pay', 4]], '[########################]  4/4  4 pay'],
    ['of nothing', 0, 0, [], '[------------------------]  0/0'],
  ])('%s', (_, done, total, counts, line) => {
    expect(progressLine(done, total, new Map(counts))).toBe(line);
  });

  it('is drawn over itself, gets out of the way, and leaves nothing behind', () => {
    const notes = screen();
    const progress = createProgress(notes, true);
    progress.expect(1);
    progress.clear();
    progress.advance('pay');
    progress.end();
    const moving = (text: string) => `\r\u001b[2K${text}`;
    expect(notes.written).toEqual([
      moving('[------------------------]  0/?'),
      moving('[------------------------]  0/1'),
      moving(''),
      moving('[########################]  1/1  1 pay'),
      moving(''),
    ]);
  });

  it('is narrower than its terminal, so that it never breaks into two lines', () => {
    const notes = screen(20);
    createProgress(notes, true);
    expect(notes.written).toEqual(['\r\u001b[2K[-----------------…']);
  });

  it('writes nothing where nobody looks', () => {
    const notes = screen();
    const progress = createProgress(notes, false);
    progress.expect(3);
    progress.advance('pay');
    progress.end();
    expect(notes.written).toEqual([]);
  });
});
