import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { EXIT, type ExitCode, strongestExit } from './exit-code.ts';

it.each<[why: string, codes: readonly ExitCode[], code: ExitCode]>([
  ['all may be paid', [0, 0], 0],
  ['one may not', [0, 1, 0], 1],
  ['one is not known yet', [0, 3], 3],
  ['skip before recheck', [3, 1, 0], 1],
  ['whoever must pay first has no verdict', [0, 1, 4], 4],
  ['a service that is away before that', [4, 5, 1, 0], 5],
  ['a mistake of the caller before all of them', [5, 4, 3, 2, 1, 0], 2],
  ['what is proved wrong before mistakes', [5, 6, 2, 0], 6],
  ['stopped', [130, 6, 2, 0], 130],
  ['nothing was asked', [], 2],
])('%s', (_, codes, code) => {
  expect(strongestExit(codes)).toBe(code);
  expect(strongestExit([...codes].reverse())).toBe(code);
});

it('every code is in the one table of docs/command-line.md, and no other', () => {
  const text = readFileSync(new URL('../../docs/command-line.md', import.meta.url), 'utf8');
  const [, section = ''] = text.split('\n## Exit codes\n');
  const [table = ''] = section.split('\n\nA dry run');
  const codes = [...table.matchAll(/^\| ([0-9, ]+) \|/gm)].flatMap(([, cell = '']) => cell.split(', '));
  const ofSignals = ['143', '141'];
  expect(codes.toSorted()).toEqual([...new Set(Object.values(EXIT).map(String)), ...ofSignals].toSorted());
});
