import { readFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import { encodePng } from './encode-png.ts';

/** The program of the thread that paints: one SVG text in, the bytes of a PNG or the words of a fault out. */
const FONTS = ['plex-sans-400.woff2', 'plex-sans-600.woff2', 'plex-mono-400.woff2'];

/** A third of the share of a thread that answers requests, where they compete for one core. */
const NICENESS = 5;

// Linux has a priority for each thread; elsewhere this would slow down the whole process.
if (process.platform === 'linux') setPriority(NICENESS);

const folder = new URL('../../../assets/fonts/', import.meta.url);
const [fontBuffers] = await Promise.all([
  Promise.all(FONTS.map((name) => readFile(new URL(name, folder)))),
  // The build puts it there, and this program is only started from there.
  initWasm(readFile(new URL('../resvg.wasm', import.meta.url))),
]);

parentPort?.on('message', (svg: string) => {
  try {
    const png = paint(svg);
    parentPort?.postMessage(png, [png.buffer]);
  } catch (fault) {
    parentPort?.postMessage(String(fault));
  }
});

function paint(svg: string): Uint8Array<ArrayBuffer> {
  const drawing = new Resvg(svg, { font: { fontBuffers, defaultFontFamily: 'IBM Plex Sans' } });
  try {
    const image = drawing.render();
    try {
      const { width, height, pixels: data } = image;
      return Uint8Array.from(encodePng({ width, height, data }));
    } finally {
      image.free();
    }
  } finally {
    drawing.free();
  }
}
