import { describe, expect, it } from 'vitest';
import { buildLikeNames } from './name-likeness.ts';

const names = buildLikeNames(['weather', 'web-search', 'rain-forecast', 'weather-history', 'ab', 'a'], 0.6);

describe('names like another', () => {
  it.each<[string, string, number, string[]]>([
    ['a typing mistake', 'wether', 2, ['weather', 'weather-history']],
    ['an ending', 'weathers', 1, ['weather']],
    ['another order of words', 'search-web', 1, ['web-search']],
    ['more typing mistakes', 'wheather', 9, ['weather', 'weather-history']],
    ['one word of several', 'weather-tomorrow-in-the-north-of-berlin', 9, ['weather-history', 'weather']],
    ['a word that is short is no reason', 'ab-of-something-quite-different', 9, []],
    ['nothing in common', 'zzz', 9, []],
    ['too short to have a pair', 'w', 9, []],
    ['as few as are wanted', 'weather', 0, []],
    ['the name itself first', 'ab', 9, ['ab']],
  ])('%s', (_, text, limit, nearest) => {
    expect(names.nearest(text, limit)).toEqual(nearest);
  });

  it('a few letters in common are no likeness', () => {
    const tasks = buildLikeNames(['exchange-rate', 'crypto-news', 'url-check', 'weather'], 0.6);
    expect(tasks.nearest('image-generation', 9)).toEqual([]);
    expect(tasks.nearest('translate', 9)).toEqual([]);
    expect(tasks.nearest('exchnage-rates', 9)).toEqual(['exchange-rate']);
  });

  it('without a minimum the nearest is named, however far', () => {
    expect(buildLikeNames(['guard', 'verify']).nearest('gaurd', 1)).toEqual(['guard']);
    expect(buildLikeNames(['guard', 'guard show']).nearest('guard shwo', 1)).toEqual(['guard show']);
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
