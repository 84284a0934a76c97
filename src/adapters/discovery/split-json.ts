import { LIST_ENTRY_MAX_BYTES } from '../../core/crawl/list-limits.ts';
import { COMMA, isBlank, nesting, QUOTE, stringScan } from './json-bytes.ts';
import { scanEnvelope } from './scan-envelope.ts';
import { boundedText, type PageSplitter } from './split-page.ts';

/**
 * Finds the arrays at these paths and yields their elements as text. It looks only at quotes, brackets, colons and commas and
 * does not validate an element, so that a broken one affects nothing else.
 */
export function splitJson(paths: readonly string[]): PageSplitter {
  const outside = scanEnvelope(paths);
  const inside = scanEntries();
  let isInside = false;
  return {
    push(piece) {
      const done: (string | null)[] = [];
      let at = 0;
      while (at < piece.length) {
        if (!isInside) {
          ({ at, isInside } = outside.run(piece, at));
          continue;
        }
        at = inside.run(piece, at);
        if (at === piece.length) break;
        const entry = inside.take();
        if (entry !== undefined) done.push(entry);
        // The bracket that closes the list is left to the envelope.
        if (piece[at] === COMMA) at += 1;
        else isInside = false;
      }
      return done;
    },
    end: () => ({
      rest: [],
      isWhole: !isInside && outside.isWhole(),
      hasEntries: outside.hasEntries(),
      envelope: outside.text(),
    }),
  };
}

interface EntryScan {
  /** Consumes the bytes of an entry; returns the index of the comma or bracket after it, or the end of the chunk. */
  run(piece: Uint8Array, from: number): number;
  /** Undefined when there were only blanks, as in an empty array. */
  take(): string | null | undefined;
}

/** Hot path: nearly every byte of a list passes here, so it works on ranges. */
function scanEntries(): EntryScan {
  const kept = boundedText(LIST_ENTRY_MAX_BYTES);
  const strings = stringScan();
  let depth = 0;
  let hasContent = false;
  return {
    run(piece, from) {
      let at = from;
      while (at < piece.length) {
        if (strings.isInside()) {
          at = strings.leave(piece, at);
          continue;
        }
        const byte = piece[at] ?? 0;
        const change = nesting(byte);
        if (depth === 0 && (change === -1 || byte === COMMA)) break;
        if (byte === QUOTE) strings.enter();
        hasContent ||= !isBlank(byte);
        depth += change;
        at += 1;
      }
      kept.add(piece, from, at);
      return at;
    },
    take() {
      const text = kept.take();
      const had = hasContent;
      hasContent = false;
      return had ? text : undefined;
    },
  };
}
