import { describe, expect, it } from 'vitest';
import { cellsOf, misses, type Report } from '../../bench/report/findings.ts';
import { withSection } from '../../bench/report/results-file.ts';

const run = { at: new Date('2026-11-15T15:04:05.000Z'), seconds: 61.6, machine: '2 cores.' };
const report = (measured: string): Report => ({
  about: 'How long it takes.',
  findings: [
    { what: 'a | b', measured, bare: '1 µs', ratio: 2, bound: '<= 3', kept: true },
    { what: 'c', measured: '9 µs', bound: '<= 3 µs', kept: false },
    { what: 'd', measured: '7 µs' },
  ],
});
const ORDER = ['first', 'second', 'third'];
const add = (text: string, name: string, measured = '2 µs') =>
  withSection(text, { name, report: report(measured), run }, ORDER);

describe('the file of results', () => {
  it('has the table, when it was made and where', () => {
    const [, section = ''] = add('', 'second').split('## second\n\n');
    expect(section).toBe(
      [
        'How long it takes.',
        '',
        '| what | measured | bare limit | ratio | bound | kept |',
        '| --- | --- | --- | --- | --- | --- |',
        '| a \\| b | 2 µs | 1 µs | 2.00 | <= 3 | kept |',
        '| c | 9 µs |  |  | <= 3 µs | MISSED |',
        '| d | 7 µs |  |  |  |  |',
        '',
        '2026-11-15 15:04 UTC, 62 s. 2 cores.',
        '',
      ].join('\n'),
    );
  });

  it('replaces one section and leaves the others, in the order of the benchmarks', () => {
    const both = add(add('', 'third', '5 µs'), 'first', '6 µs');
    expect(both.match(/^## .*$/gm)).toEqual(['## first', '## third']);
    const again = add(both, 'first', '8 µs');
    expect(again).toContain('8 µs');
    expect(again).not.toContain('6 µs');
    expect(again).toContain('5 µs');
    expect(again.match(/^# /gm)).toHaveLength(1);
  });

  it('stays as it is when the same is written again', () => {
    const once = add(add('', 'first'), 'second');
    expect(add(once, 'first')).toBe(once);
  });

  it('forgets a section that no benchmark writes any more', () => {
    expect(add('# x\n\n## gone\n\nold\n', 'first')).not.toContain('gone');
  });
});

describe('a bound', () => {
  it('that was missed is named, and one that nobody promised is not', () => {
    expect(misses(report('2 µs'))).toEqual(['c']);
    expect(cellsOf({ what: 'd', measured: '7 µs' })).toEqual(['d', '7 µs', '', '', '', '']);
  });
});
