import { order } from '../order.ts';
import { wordsOf } from './slug.ts';

/** Finds the names most similar to a text. */
export interface LikeNames {
  /** At most `limit` names, the most similar first; names with too little in common are left out. */
  nearest(text: string, limit: number): string[];
}

/** Shorter words, such as "of", say nothing about the subject. */
const TELLING_WORD_CHARS = 4;

/** As alike as the whole names are, or as their most similar words. Names below `likenessMin` (0 to 1) are left out. */
export function buildLikeNames(names: Iterable<string>, likenessMin = 0): LikeNames {
  const known = Array.from(names, (name) => ({ name, words: tellingWords(name) }));
  const whole = buildLikeness(known.map(({ name }) => name));
  const words = [...new Set(known.flatMap((one) => one.words))];
  const byWord = buildLikeness(words);
  return {
    nearest(text, limit) {
      const asWhole = whole(text);
      const ofWord = new Map<string, number>();
      for (const word of new Set(tellingWords(text))) {
        for (const [at, likeness] of byWord(word).entries()) {
          const other = words[at] ?? '';
          ofWord.set(other, Math.max(likeness, ofWord.get(other) ?? 0));
        }
      }
      return known
        .map(({ name, words: its }, at) => ({
          name,
          whole: asWhole[at] ?? 0,
          likeness: Math.max(asWhole[at] ?? 0, ...its.map((word) => ofWord.get(word) ?? 0)),
        }))
        .filter(({ likeness }) => likeness > 0 && likeness >= likenessMin)
        .sort(
          (left, right) =>
            order(right.likeness, left.likeness) ||
            order(right.whole, left.whole) ||
            order(left.name, right.name),
        )
        .slice(0, limit)
        .map(({ name }) => name);
    },
  };
}

/** Dice coefficient of letter pairs, from 0 to 1, for each text: cheap, and tolerant of suffixes and typing errors. */
function buildLikeness(texts: readonly string[]): (text: string) => readonly number[] {
  const pairs = texts.map(pairsOf);
  const byPair = new Map<string, number[]>();
  for (const [at, its] of pairs.entries()) {
    for (const pair of its) {
      const holders = byPair.get(pair);
      if (holders === undefined) byPair.set(pair, [at]);
      else holders.push(at);
    }
  }
  return (text) => {
    const wanted = pairsOf(text);
    const common = new Uint16Array(pairs.length);
    for (const pair of wanted) {
      for (const at of byPair.get(pair) ?? []) common[at] = (common[at] ?? 0) + 1;
    }
    return pairs.map(({ size }, at) => (2 * (common[at] ?? 0)) / (wanted.size + size));
  };
}

function tellingWords(text: string): readonly string[] {
  return wordsOf(text).filter((word) => word.length >= TELLING_WORD_CHARS);
}

function pairsOf(text: string): ReadonlySet<string> {
  return new Set(Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2)));
}
