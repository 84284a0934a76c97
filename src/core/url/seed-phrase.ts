import type { Shape } from './shape.ts';

/** Wallets are restored from such a number of short words: the whole value, or some of a text. */
export function shapeOfSeedWords(value: string): Shape {
  const words = value.split(/[\s,-]+/);
  if (PHRASE_LENGTHS.has(words.length) && words.every(mayBeSeedWord)) return 'secret';
  const runs = runsOfSeedWords(value);
  if (runs.some((run) => PHRASE_LENGTHS.has(run))) return 'secret';
  // Longer ones may have words of the sentence beside the phrase.
  return runs.some((run) => run > SHORTEST_PHRASE) ? 'doubtful' : 'plain';
}

const SHORTEST_PHRASE = 12;
const PHRASE_LENGTHS: ReadonlySet<number> = new Set([SHORTEST_PHRASE, 15, 18, 21, 24]);

/** How many words of a phrase follow each other, wherever they do, with nothing but blanks between. */
function runsOfSeedWords(text: string): readonly number[] {
  const runs: number[] = [];
  for (const blanksAndLetters of text.split(/[^A-Za-z\s]+/)) {
    let run = 0;
    for (const word of blanksAndLetters.trim().split(/\s+/)) {
      if (mayBeSeedWord(word)) {
        run += 1;
      } else {
        runs.push(run);
        run = 0;
      }
    }
    runs.push(run);
  }
  return runs;
}

function mayBeSeedWord(word: string): boolean {
  return /^[a-z]{3,8}$/.test(word) && !SENTENCE_WORD.test(word);
}

/** Frequent in sentences, and in no list of seed words. */
const SENTENCE_WORD =
  /^(?:and|are|but|could|for|from|had|has|her|his|how|its|not|our|should|some|than|the|their|these|those|was|were|which|who|why|with|would|your)$/;
