import { decodeBase64, encodeBase64 } from './base64.ts';
import { isNoteText } from './note-format.ts';
import { type Hash, isHash } from './tree-hash.ts';

/** What a checkpoint says about a log (c2sp.org/tlog-checkpoint). */
export interface TreeHead {
  readonly origin: string;
  readonly size: number;
  readonly root: Hash;
}

export function checkpointText({ origin, size, root }: TreeHead): string {
  const text = `${origin}\n${size}\n${encodeBase64(root)}\n`;
  if (parseCheckpoint(text)?.origin !== origin) throw new Error('This tree head cannot be a checkpoint.');
  return text;
}

/** Extension lines are tolerated and ignored: they are opaque. */
export function parseCheckpoint(text: string): TreeHead | null {
  if (!isNoteText(text)) return null;
  const lines = text.slice(0, -1).split('\n');
  if (lines.includes('')) return null;
  const [origin = '', digits = '', encoded = ''] = lines;
  const size = parseDecimal(digits);
  const root = decodeBase64(encoded);
  if (size === null || root === null || !isHash(root)) return null;
  return { origin, size, root };
}

/** A non-negative safe integer in ASCII digits without leading zeroes. */
export function parseDecimal(digits: string): number | null {
  const value = /^(?:0|[1-9][0-9]{0,15})$/.test(digits) ? Number(digits) : Number.NaN;
  return Number.isSafeInteger(value) ? value : null;
}
