import { TASK_MAX_CHARS } from '../limits.ts';

/** Lower-case words joined by hyphens (gap G21); null when nothing is left to search for. */
export function slug(text: string): string | null {
  const words = wordsOf(text.slice(0, 4 * TASK_MAX_CHARS));
  return words.length === 0 ? null : words.join('-').slice(0, TASK_MAX_CHARS).replace(/-$/, '');
}

export function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}
