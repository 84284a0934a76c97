/** Splits a page into entries while it arrives, so that memory stays bounded. */
export interface PageSplitter {
  /** Entries that this chunk completes, as text; null for one that is too large. */
  push(piece: Uint8Array): readonly (string | null)[];
  end(): PageEnd;
}

export interface PageEnd {
  /** The last entry, if only the end of the page ends it. */
  readonly rest: readonly (string | null)[];
  /** The page ended where it should. */
  readonly isWhole: boolean;
  /** There was an array of entries, perhaps an empty one. */
  readonly hasEntries: boolean;
  /** The page without its entries; null when there is too much of it. */
  readonly envelope: string | null;
}

/** A text buffer with a limit. Beyond the limit it only knows that there was too much. */
export interface BoundedText {
  add(piece: Uint8Array, from: number, to: number): void;
  clear(): void;
  /** Takes the text, or null if it was too much, and resets. */
  take(): string | null;
}

const FIRST_BYTES = 4_096;

export function boundedText(maxBytes: number): BoundedText {
  let buffer = Buffer.allocUnsafe(Math.min(FIRST_BYTES, maxBytes));
  let length = 0;
  const grow = (needed: number) => {
    const grown = Buffer.allocUnsafe(Math.min(Math.max(needed, 2 * buffer.length), maxBytes));
    buffer.copy(grown, 0, 0, length);
    buffer = grown;
  };
  return {
    add(piece, from, to) {
      const needed = length + to - from;
      if (needed <= maxBytes) {
        if (needed > buffer.length) grow(needed);
        buffer.set(piece.subarray(from, to), length);
      }
      // Stays too much, whatever is added.
      length = Math.min(needed, maxBytes + 1);
    },
    clear: () => {
      length = 0;
    },
    take() {
      const text = length > maxBytes ? null : buffer.toString('utf8', 0, length);
      length = 0;
      return text;
    },
  };
}
