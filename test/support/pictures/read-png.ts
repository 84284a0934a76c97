import { crc32, inflateSync } from 'node:zlib';

/** A decoded PNG of 8 bits, with a palette or RGBA. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  /** How many pixels have exactly this colour, such as #0a6b3b. */
  count(colour: string): number;
  /** The colour of a pixel. */
  at(x: number, y: number): string;
}

const SIGNATURE = '89504e470d0a1a0a';
/** Bytes of a pixel by the type of colour. */
const BYTES: ReadonlyMap<number | undefined, number> = new Map([
  [3, 1],
  [6, 4],
]);

export function readPng(file: Buffer): Picture {
  if (file.subarray(0, 8).toString('hex') !== SIGNATURE) throw new Error('not a PNG');
  const chunks = chunksOf(file);
  const dataOf = (type: string) =>
    Buffer.concat(chunks.filter((chunk) => chunk.type === type).map(({ data }) => data));
  const head = dataOf('IHDR');
  const [width, height] = [head.readUInt32BE(0), head.readUInt32BE(4)];
  const bytes = BYTES.get(head[9]);
  if (head[8] !== 8 || bytes === undefined) throw new Error('not 8 bits with a palette or RGBA');
  const pixels = unfiltered(inflateSync(dataOf('IDAT')), { rowBytes: width * bytes, rows: height, bytes });
  const palette = dataOf('PLTE');
  const hex = (from: Buffer, offset: number) => `#${from.toString('hex', offset, offset + 3)}`;
  const named = Array.from({ length: palette.length / 3 }, (_, index) => hex(palette, index * 3));
  const at = (pixel: number) =>
    bytes === 1 ? (named[pixels[pixel] ?? 0] ?? '') : hex(pixels, pixel * bytes);
  const counts = new Map<string, number>();
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    counts.set(at(pixel), (counts.get(at(pixel)) ?? 0) + 1);
  }
  return {
    width,
    height,
    at: (x, y) => at(y * width + x),
    count: (colour) => counts.get(colour) ?? 0,
  };
}

/** Every chunk with a sum that is right. */
function chunksOf(file: Buffer): { readonly type: string; readonly data: Buffer }[] {
  const chunks: { type: string; data: Buffer }[] = [];
  for (let at = 8; at < file.length; ) {
    const end = at + 8 + file.readUInt32BE(at);
    if (file.readUInt32BE(end) !== crc32(file.subarray(at + 4, end))) throw new Error('a wrong sum');
    chunks.push({ type: file.toString('latin1', at + 4, at + 8), data: file.subarray(at + 8, end) });
    at = end + 4;
  }
  return chunks;
}

interface Layout {
  readonly rowBytes: number;
  readonly rows: number;
  readonly bytes: number;
}

/** Section 9 of the PNG specification. */
function unfiltered(data: Buffer, { rowBytes, rows, bytes }: Layout): Buffer {
  const out = Buffer.alloc(rowBytes * rows);
  for (let row = 0; row < rows; row += 1) {
    const filter = data[row * (rowBytes + 1)] ?? 0;
    for (let x = 0; x < rowBytes; x += 1) {
      const at = row * rowBytes + x;
      const left = x < bytes ? 0 : (out[at - bytes] ?? 0);
      const up = row === 0 ? 0 : (out[at - rowBytes] ?? 0);
      const corner = x < bytes || row === 0 ? 0 : (out[at - rowBytes - bytes] ?? 0);
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
