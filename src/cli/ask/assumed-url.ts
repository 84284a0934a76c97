import type { CommandContext } from '../command-context.ts';
import { shownUrl } from '../show/shown-url.ts';

const PORT_AND_PATH = '(?::[0-9]{1,5})?(?:[/?#][^\\s]*)?$';
const HERE = new RegExp(`^(?:localhost|127(?:\\.[0-9]{1,3}){3}|\\[::1\\])${PORT_AND_PATH}`, 'i');
const ELSEWHERE = new RegExp(`^[a-z0-9-]+(?:\\.[a-z0-9-]+)+${PORT_AND_PATH}`, 'i');

/** The URL that a host without a scheme stands for: https, and http on this machine. Null for anything else. */
export function assumedUrl(word: string): string | null {
  if (HERE.test(word)) return `http://${word}`;
  return ELSEWHERE.test(word) ? `https://${word}` : null;
}

/** A typed URL. One without a scheme is completed, and the person is told how. */
export function typedUrl(word: string, { notes }: Pick<CommandContext, 'notes'>): string {
  const url = assumedUrl(word);
  if (url === null) return word;
  notes.write(`assay: no scheme given; using ${shownUrl(url)}\n`);
  return url;
}
