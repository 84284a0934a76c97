import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildWordIndex } from './word-index.ts';

const TEXTS = ['plain weather now', 'weather forecast', 'deep search', 'research papers', 'now now now'];
const wordsOf = (text: string) => text.split(' ');
const index = buildWordIndex(TEXTS, wordsOf);

describe('finding by parts of words', () => {
  it.each<[string, string[], string[]]>([
    ['a whole word', ['forecast'], ['weather forecast']],
    ['the beginning of a word', ['weath'], ['plain weather now', 'weather forecast']],
    ['the middle of a word', ['ear'], ['deep search', 'research papers']],
    ['the end of a word', ['ther'], ['plain weather now', 'weather forecast']],
    ['several parts, in any order', ['now', 'plain'], ['plain weather now']],
    ['two parts of one word', ['wea', 'ther'], ['plain weather now', 'weather forecast']],
    ['parts that nobody has together', ['weather', 'search'], []],
    ['a part that nobody has', ['zebra'], []],
    ['a part beyond the last word', ['zzz'], []],
    ['a part that runs over the end of a word', ['weatherforecast'], []],
    ['a word that comes three times', ['now'], ['plain weather now', 'now now now']],
    ['nothing in particular', [], TEXTS],
  ])('%s', (_, parts, found) => {
    expect(index.find(parts)).toEqual(found);
  });

  it('finds what looking at everything finds, in the same order', () => {
    const word = fc.stringMatching(/^[ab]{1,4}$/);
    const texts = fc.array(fc.array(word, { maxLength: 4 }), { maxLength: 12 });
    fc.assert(
      fc.property(texts, fc.array(word, { maxLength: 3 }), (things, parts) => {
        const everything = things.filter((words) =>
          parts.every((part) => words.some((known) => known.includes(part))),
        );
        expect(buildWordIndex(things, (words) => words).find(parts)).toEqual(everything);
      }),
      { numRuns: 500 },
    );
  });
});
