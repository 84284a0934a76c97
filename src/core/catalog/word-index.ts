import { order } from '../order.ts';

/** Finds things by parts of the words that describe them. */
export interface WordIndex<T> {
  /** Those that have a word with each of these parts in it, in the order in which they were given. */
  find(parts: readonly string[]): readonly T[];
}

/**
 * Every ending of every word, sorted: the words with a part in them are those with an ending that begins with it, and all
 * such endings are neighbours. Only the things with the rarest part are looked at one by one.
 */
export function buildWordIndex<T>(
  things: readonly T[],
  wordsOf: (thing: T) => readonly string[],
): WordIndex<T> {
  const described = things.map((thing) => ({ thing, words: [...new Set(wordsOf(thing))] }));
  const endings = endingsOf(holdersByWord(described));
  return {
    find(parts) {
      const [rarest] = parts
        .map((part) => endingsWith(endings, part))
        .sort((left, right) => order(holdingsOf(left), holdingsOf(right)));
      if (rarest === undefined) return things;
      const positions = [...new Set(rarest.flatMap(({ holders }) => holders))].sort(order);
      return positions
        .flatMap((at) => described[at] ?? [])
        .filter(({ words }) => parts.every((part) => words.some((word) => word.includes(part))))
        .map(({ thing }) => thing);
    },
  };
}

/** Which things have a word, by their positions. */
type Holders = ReadonlyMap<string, readonly number[]>;

function holdersByWord(described: readonly { readonly words: readonly string[] }[]): Holders {
  const holders = new Map<string, number[]>();
  for (const [at, { words }] of described.entries()) {
    for (const word of words) {
      const known = holders.get(word);
      if (known === undefined) holders.set(word, [at]);
      else known.push(at);
    }
  }
  return holders;
}

interface Ending {
  readonly text: string;
  readonly holders: readonly number[];
}

function endingsOf(byWord: Holders): readonly Ending[] {
  const endings = [...byWord].flatMap(([word, holders]) =>
    Array.from(word, (_, start) => ({ text: word.slice(start), holders })),
  );
  return endings.sort((left, right) => order(left.text, right.text));
}

function endingsWith(endings: readonly Ending[], beginning: string): readonly Ending[] {
  let [low, high] = [0, endings.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((endings[middle]?.text ?? '') < beginning) low = middle + 1;
    else high = middle;
  }
  let end = low;
  while (endings[end]?.text.startsWith(beginning)) end += 1;
  return endings.slice(low, end);
}

function holdingsOf(endings: readonly Ending[]): number {
  return endings.reduce((sum, { holders }) => sum + holders.length, 0);
}
