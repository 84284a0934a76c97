import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { compareBaseline, readBaseline, type Scenario } from '../../scripts/conformance/compare-baseline.ts';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));

describe('a run of the conformance suite against its baseline', () => {
  const tools: Scenario = {
    name: 'tools-list',
    checks: [
      { id: 'listed', status: 'SUCCESS' },
      { id: 'note', status: 'INFO' },
      { id: 'not-for-us', status: 'SKIPPED' },
    ],
  };
  const images: Scenario = {
    name: 'tools-image',
    checks: [
      { id: 'wire', status: 'SUCCESS' },
      { id: 'image', status: 'FAILURE' },
      { id: 'image', status: 'FAILURE' },
    ],
  };
  const streams: Scenario = { name: 'streams', checks: [{ id: 'session', status: 'WARNING' }] };

  it.each<[why: string, run: Scenario[], baseline: string[], unexpected: string[], stale: string[]]>([
    ['all is as expected', [tools, images], ['tools-image:image'], [], []],
    ['a failure nobody expects', [tools, images], [], ['tools-image:image'], []],
    ['a warning nobody expects', [streams], [], ['streams:session'], []],
    ['a failure that is over', [tools], ['tools-list:listed'], [], ['tools-list:listed']],
    ['a scenario that is gone', [tools], ['tools-image:image'], [], ['tools-image:image']],
    [
      'another check of a scenario',
      [images],
      ['tools-image:wire'],
      ['tools-image:image'],
      ['tools-image:wire'],
    ],
  ])('%s', (_, run, baseline, unexpected, stale) => {
    expect(compareBaseline(run, baseline)).toMatchObject({ unexpected, stale });
  });

  it('counts what passed', () => {
    expect(compareBaseline([tools, images], ['tools-image:image'])).toMatchObject({
      passed: 2,
      expected: ['tools-image:image'],
    });
  });
});

describe('a baseline', () => {
  it.each([
    ['an entry without a reason', 'server:\n  - a:b\n', 'the baseline has no reason for a:b'],
    [
      'a reason that belongs to others',
      'server:\n  # x\n  - a:b\n\n  - c:d\n',
      'the baseline has no reason for c:d',
    ],
    ['an entry that is there twice', 'server:\n  # x\n  - a:b\n  - a:b\n', 'the baseline has a:b twice'],
    ['a whole scenario', 'server:\n  # x\n  - a\n', 'the baseline has a line that is none:   - a'],
  ])('is refused: %s', (_, text, message) => {
    expect(() => readBaseline(text)).toThrow(message);
  });

  it('gives its entries', () => {
    expect(readBaseline('server:\n  # Why.\n  - a:b\n  - c:d\n\n  # Why else.\n  - e:f\n')).toEqual([
      'a:b',
      'c:d',
      'e:f',
    ]);
  });

  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.yml'));

  it.each(files)('%s can be read', (name) => {
    expect(readBaseline(readFileSync(`${FOLDER}${name}`, 'utf8')).length).toBeGreaterThan(10);
  });

  it('is there for every run', () => {
    expect(files).toEqual(['baseline-2025.yml', 'baseline-2026.yml']);
  });
});
