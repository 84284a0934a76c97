import { inflateSync } from 'node:zlib';

/** A decoded PNG of 8 bits RGBA, the one format that our pictures have. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  /** How many pixels have exactly this colour, such as #0a6b3b. */
  count(colour: string): number;
  /** The colour of a pixel. */
  at(x: number, y: number): string;
}

const SIGNATURE = '89504e470d0a1a0a';
const RGBA = 6;
const BYTES = 4;

export function readPng(file: Buffer): Picture {
  if (file.subarray(0, 8).toString('hex') !== SIGNATURE) throw new Error('not a PNG');
  const parts: Buffer[] = [];
  for (let at = 8; at < file.length; ) {
    const length = file.readUInt32BE(at);
    if (file.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(file.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  const [width, height] = [file.readUInt32BE(16), file.readUInt32BE(20)];
  if (file[24] !== 8 || file[25] !== RGBA) throw new Error('not 8 bits RGBA');
  const pixels = unfiltered(inflateSync(Buffer.concat(parts)), width * BYTES, height);
  const at = (offset: number) => `#${pixels.toString('hex', offset, offset + 3)}`;
  return {
    width,
    height,
    at: (x, y) => at((y * width + x) * BYTES),
    count(colour) {
      let found = 0;
      for (let offset = 0; offset < pixels.length; offset += BYTES) found += at(offset) === colour ? 1 : 0;
      return found;
    },
  };
}

/** Section 9 of the PNG specification. */
function unfiltered(data: Buffer, rowBytes: number, rows: number): Buffer {
  const out = Buffer.alloc(rowBytes * rows);
  for (let row = 0; row < rows; row += 1) {
    const filter = data[row * (rowBytes + 1)] ?? 0;
    for (let x = 0; x < rowBytes; x += 1) {
      const at = row * rowBytes + x;
      const left = x < BYTES ? 0 : (out[at - BYTES] ?? 0);
      const up = row === 0 ? 0 : (out[at - rowBytes] ?? 0);
      const corner = x < BYTES || row === 0 ? 0 : (out[at - rowBytes - BYTES] ?? 0);
      out[at] = (data[row * (rowBytes + 1) + 1 + x] ?? 0) + predicted(filter, left, up, corner);
    }
  }
  return out;
}

function predicted(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  if (filter !== 4) return 0;
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}
