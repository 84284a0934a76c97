import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';

/** Creates a gzip file for its owner only, which is on disk when it returns; `fill` appends text to it. */
export async function writePacked<T>(
  file: string,
  fill: (append: (text: string) => Promise<void>) => Promise<T>,
): Promise<T> {
  const packed = createGzip();
  const written = pipeline(packed, createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }));
  // Awaited below; until then a rejection must not count as unhandled.
  written.catch(() => {});
  try {
    const result = await fill(async (text) => {
      if (!packed.write(text)) await Promise.race([once(packed, 'drain'), written]);
    });
    packed.end();
    await written;
    return result;
  } catch (fault) {
    packed.destroy();
    await written.catch(() => {});
    throw fault;
  }
}

/** The lines of a gzip file of text. Throws for a file that ends inside of a line. */
export async function* packedLines(file: string): AsyncGenerator<string> {
  const unpacked = createGunzip();
  createReadStream(file)
    .on('error', (fault) => unpacked.destroy(fault))
    .pipe(unpacked);
  let rest = '';
  for await (const chunk of unpacked.setEncoding('utf8')) {
    const lines = (rest + String(chunk)).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') throw new Error(`${file} ends inside of a line`);
}
