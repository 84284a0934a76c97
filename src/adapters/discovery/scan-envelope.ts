import { LIST_ENVELOPE_MAX_BYTES } from '../../core/crawl/list-limits.ts';
import { COLON, isBlank, nesting, OPEN_BRACE, OPEN_BRACKET, QUOTE, stringScan } from './json-bytes.ts';
import { boundedText } from './split-page.ts';

/** Everything around the entries of a page. */
export interface EnvelopeScan {
  /** Scans up to and including the bracket that opens an array of entries. */
  run(piece: Uint8Array, from: number): { readonly at: number; readonly isInside: boolean };
  isWhole(): boolean;
  hasEntries(): boolean;
  text(): string | null;
}

const KEY_MAX_BYTES = 200;
const BYTE_ORDER_MARK: ReadonlySet<number> = new Set([0xef, 0xbb, 0xbf]);

export function scanEnvelope(paths: readonly string[]): EnvelopeScan {
  const kept = boundedText(LIST_ENVELOPE_MAX_BYTES);
  const key = boundedText(KEY_MAX_BYTES);
  const strings = stringScan();
  const place = placeIn(paths);
  // Before the first byte, inside JSON, after its end, or not JSON at all.
  let kind: 'unknown' | 'json' | 'over' | 'other' = 'unknown';
  let hasEntries = false;

  /** True when this byte opens an array of entries. */
  const step = (byte: number): boolean => {
    if (byte === QUOTE) {
      strings.enter();
      key.clear();
    } else if (byte === COLON) place.name(key.take());
    const change = nesting(byte);
    if (change === 1) return place.open(byte);
    if (change === -1) place.close();
    if (change === -1 && place.isOutermost()) kind = 'over';
    return false;
  };
  const leaveString = (piece: Uint8Array, from: number): number => {
    const at = strings.leave(piece, from);
    key.add(piece, from, strings.isInside() ? at : at - 1);
    return at;
  };
  const isOver = () => kind === 'over';
  const begin = (piece: Uint8Array, from: number): number => {
    const start = piece.findIndex((byte, at) => at >= from && !isBlank(byte) && !BYTE_ORDER_MARK.has(byte));
    if (start === -1) return piece.length;
    kind = nesting(piece[start] ?? 0) === 1 ? 'json' : 'other';
    return start;
  };
  return {
    run(piece, from) {
      const start = kind === 'unknown' ? begin(piece, from) : from;
      if (kind !== 'json') return { at: piece.length, isInside: false };
      let at = start;
      let isInside = false;
      while (at < piece.length && !isInside && !isOver()) {
        if (strings.isInside()) {
          at = leaveString(piece, at);
        } else {
          isInside = step(piece[at] ?? 0);
          at += 1;
        }
      }
      kept.add(piece, start, at);
      hasEntries ||= isInside;
      return { at: isOver() ? piece.length : at, isInside };
    },
    isWhole: isOver,
    hasEntries: () => hasEntries,
    text: () => kept.take(),
  };
}

/** No list has its entries deeper than this; below, only the depth is counted. */
const PATH_DEPTH_MAX = 4;
/** A member without a name yet, or with too long a name. No path contains a blank. */
const NO_KEY = ' ';

/** The current position in the document. */
function placeIn(paths: readonly string[]) {
  const wanted = new Set(paths);
  // The current member of every open container; null in an array.
  const keys: (string | null)[] = [];
  let depth = 0;
  return {
    /** True when this bracket opens one of the wanted arrays. */
    open(byte: number): boolean {
      const isWanted = byte === OPEN_BRACKET && depth <= PATH_DEPTH_MAX && wanted.has(keys.join('.'));
      if (depth < PATH_DEPTH_MAX) keys.push(byte === OPEN_BRACE ? NO_KEY : null);
      depth += 1;
      return isWanted;
    },
    close(): void {
      depth = Math.max(0, depth - 1);
      keys.length = Math.min(keys.length, depth);
    },
    name(key: string | null): void {
      if (depth > PATH_DEPTH_MAX || typeof keys.at(-1) !== 'string') return;
      keys[keys.length - 1] = key ?? NO_KEY;
    },
    isOutermost: () => depth === 0,
  };
}
