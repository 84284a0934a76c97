import { describe, expect, it } from 'vitest';
import { buildLikeNames } from './name-likeness.ts';

const names = buildLikeNames(['weather', 'web-search', 'rain-forecast', 'weather-history', 'ab', 'a']);

describe('names like another', () => {
  it.each<[string, string, number, string[]]>([
    ['a typing mistake', 'wether', 2, ['weather', 'weather-history']],
    ['an ending', 'weathers', 1, ['weather']],
    ['another order of words', 'search-web', 1, ['web-search']],
    ['nothing in common', 'zzz', 9, []],
    ['too short to have a pair', 'w', 9, []],
    ['as few as are wanted', 'weather', 0, []],
    ['the name itself first', 'ab', 9, ['ab']],
  ])('%s', (_, text, limit, nearest) => {
    expect(names.nearest(text, limit)).toEqual(nearest);
  });

  it('equally like ones come by their names, however they were given', () => {
    for (const given of [
      ['abx', 'aby'],
      ['aby', 'abx'],
    ])
      expect(buildLikeNames(given).nearest('ab', 9)).toEqual(['abx', 'aby']);
  });

  it('a pair that comes twice counts once', () => {
    expect(buildLikeNames(['ababab', 'abcdef']).nearest('abab', 1)).toEqual(['ababab']);
    expect(buildLikeNames(['abcdef', 'ababababab']).nearest('abcd', 1)).toEqual(['abcdef']);
  });
});
