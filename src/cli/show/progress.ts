import type { Screen } from '../command-context.ts';
import { cutEnd } from './plain-text.ts';

export interface Progress {
  /** Removes the bar while something else is printed. */
  clear(): void;
  /** One more is done, with this word. */
  advance(word: string): void;
  /** The total, once it is known. */
  expect(total: number): void;
  end(): void;
}

const CLEAR_LINE = '\r\u001b[2K';
const BAR_CELLS = 24;

/** A bar on a terminal that can move its cursor, and nothing anywhere else. */
export function createProgress(screen: Screen, shown: boolean, known: number | null = null): Progress {
  const counts = new Map<string, number>();
  let total = known;
  let done = 0;
  const draw = () => {
    if (shown) screen.write(CLEAR_LINE + cutEnd(progressLine(done, total, counts), screen.columns - 1));
  };
  const clear = () => {
    if (shown) screen.write(CLEAR_LINE);
  };
  draw();
  return {
    clear,
    advance(word) {
      done += 1;
      counts.set(word, (counts.get(word) ?? 0) + 1);
      draw();
    },
    expect(count) {
      total = count;
      draw();
    },
    end: clear,
  };
}

export function progressLine(
  done: number,
  total: number | null,
  counts: ReadonlyMap<string, number>,
): string {
  const full = total === null || total === 0 ? 0 : Math.round((done / total) * BAR_CELLS);
  const bar = `[${'#'.repeat(full)}${'-'.repeat(BAR_CELLS - full)}]`;
  return [bar, `${done}/${total ?? '?'}`, countWords(counts)].filter((part) => part !== '').join('  ');
}

export function countWords(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([word, count]) => `${count} ${word}`).join(', ');
}
