import { order } from '../order.ts';

/** Substring search over the words that describe each thing. */
export interface WordIndex<T> {
  /** The things with a word that contains each part, in their original order. */
  find(parts: readonly string[]): readonly T[];
}

/**
 * A suffix array: a word contains `part` iff one of its suffixes starts with it, and those suffixes are neighbours. Only
 * the things with the rarest part are compared one by one.
 */
export function buildWordIndex<T>(
  things: readonly T[],
  wordsOf: (thing: T) => readonly string[],
): WordIndex<T> {
  const described = things.map((thing) => ({ thing, words: [...new Set(wordsOf(thing))] }));
  const suffixes = suffixesOf(holdersByWord(described));
  return {
    find(parts) {
      const [rarest] = parts
        .map((part) => suffixesWith(suffixes, part))
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

/** Positions of the things that have a word, by word. */
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

interface Suffix {
  readonly text: string;
  readonly holders: readonly number[];
}

function suffixesOf(byWord: Holders): readonly Suffix[] {
  const suffixes = [...byWord].flatMap(([word, holders]) =>
    Array.from(word, (_, start) => ({ text: word.slice(start), holders })),
  );
  return suffixes.sort((left, right) => order(left.text, right.text));
}

function suffixesWith(suffixes: readonly Suffix[], prefix: string): readonly Suffix[] {
  let [low, high] = [0, suffixes.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((suffixes[middle]?.text ?? '') < prefix) low = middle + 1;
    else high = middle;
  }
  let end = low;
  while (suffixes[end]?.text.startsWith(prefix)) end += 1;
  return suffixes.slice(low, end);
}

function holdingsOf(suffixes: readonly Suffix[]): number {
  return suffixes.reduce((sum, { holders }) => sum + holders.length, 0);
}
