/** Paints the pictures in assets/ that are the same for everybody: the card of the service, and the icons from the mark. */
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { createPainter } from '../src/adapters/pictures/create-painter.ts';
import { siteCard } from '../src/pages/cards/site-card.ts';
import { projectFile } from '../tools/project-file.ts';

const thread = pathToFileURL(projectFile('dist/bundle/node/painting-thread.js'));
const { paint, close } = createPainter({
  thread,
  onFault: (fault) => process.stderr.write(`${String(fault)}\n`),
});
const mark = readFileSync(projectFile('assets/favicon.svg'), 'utf8');

save('card.png', await picture(await siteCard()));
save('apple-touch-icon.png', await picture(icon(180, 20, '#ffffff')));
save('favicon.ico', ico(32, await picture(icon(32, 0, 'none'))));
await close();

async function picture(svg: string): Promise<Buffer> {
  const png = await paint(svg);
  if (png === null) throw new Error('it cannot be painted');
  return png;
}

function save(name: string, content: Buffer): void {
  writeFileSync(projectFile(`assets/${name}`), content);
}

/** The mark on a square, with a border around it. */
function icon(size: number, border: number, ground: string): string {
  const inner = size - 2 * border;
  const placed = mark.replace(
    '<svg ',
    `<svg x="${border}" y="${border}" width="${inner}" height="${inner}" `,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}"><rect width="${size}" height="${size}" fill="${ground}"/>${placed}</svg>`;
}

/** One PNG in the container that browsers ask for by habit. */
function ico(size: number, png: Buffer): Buffer {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.set([size, size], 6);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, png]);
}
