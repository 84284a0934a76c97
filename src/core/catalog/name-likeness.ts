import { order } from '../order.ts';

/** Finds the names most similar to a text. */
export interface LikeNames {
  /** At most `limit` names, the most similar first; names with nothing in common are left out. */
  nearest(text: string, limit: number): string[];
}

/** Dice coefficient of letter pairs, from 0 to 1: cheap, and tolerant of suffixes and typing errors. */
export function buildLikeNames(names: Iterable<string>): LikeNames {
  const known = Array.from(names, (name) => ({ name, pairs: pairsOf(name) }));
  const byPair = new Map<string, number[]>();
  for (const [at, { pairs }] of known.entries()) {
    for (const pair of pairs) {
      const holders = byPair.get(pair);
      if (holders === undefined) byPair.set(pair, [at]);
      else holders.push(at);
    }
  }
  return {
    nearest(text, limit) {
      const wanted = pairsOf(text);
      const common = new Uint16Array(known.length);
      for (const pair of wanted) {
        for (const at of byPair.get(pair) ?? []) common[at] = (common[at] ?? 0) + 1;
      }
      return known
        .map(({ name, pairs }, at) => ({
          name,
          likeness: (2 * (common[at] ?? 0)) / (wanted.size + pairs.size),
        }))
        .filter(({ likeness }) => likeness > 0)
        .sort((left, right) => order(right.likeness, left.likeness) || order(left.name, right.name))
        .slice(0, limit)
        .map(({ name }) => name);
    },
  };
}

function pairsOf(text: string): ReadonlySet<string> {
  return new Set(Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2)));
}
