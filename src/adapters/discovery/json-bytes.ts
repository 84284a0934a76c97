/** The bytes that give JSON its structure. In UTF-8 none of them is part of another character. */
export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
const BACKSLASH = 0x5c;
export const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
export const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

export function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** The change of depth at this byte. */
export function nesting(byte: number): -1 | 0 | 1 {
  if (byte === OPEN_BRACKET || byte === OPEN_BRACE) return 1;
  return byte === CLOSE_BRACKET || byte === CLOSE_BRACE ? -1 : 0;
}

/** Tracks strings, which may span chunks; the bytes inside have no structure. */
export interface StringScan {
  enter(): void;
  isInside(): boolean;
  /** The index after the string, or the end of the chunk. */
  leave(piece: Uint8Array, from: number): number;
}

export function stringScan(): StringScan {
  let isInside = false;
  let isEscaped = false;
  return {
    enter() {
      isInside = true;
    },
    isInside: () => isInside,
    leave(piece, from) {
      for (let at = from; at < piece.length; at += 1) {
        const byte = piece[at];
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) {
          isInside = false;
          return at + 1;
        }
      }
      return piece.length;
    },
  };
}
