/// <reference path="./pdfkit.d.ts" />
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { drawGuide } from './pack/draw-guide.ts';
import { fillTemplate, type Slots, type SlotValue } from './pack/fill-template.ts';
import { parseGuide } from './pack/parse-guide.ts';

const slotValue: z.ZodType<SlotValue> = z.lazy(() => z.union([z.string(), z.array(slots)]));
const slots: z.ZodType<Slots> = z.record(z.string(), slotValue);

/** Makes what the pack does not hold as written: the guide as a PDF, and the template filled with the combiner's example. */
export async function buildPack({ from, to }: { readonly from: string; readonly to: string }): Promise<void> {
  const read = (path: string) => readFile(join(from, path), 'utf8');
  const combined = z.object({ slots }).parse(JSON.parse(exampleOf(await read('prompts/combiner.md'))));
  const example = fillTemplate(await read('templates/morning-briefing.html'), combined.slots);
  const guide = await drawGuide(parseGuide(await read('guide/guide.md')));
  await mkdir(join(to, 'guide'), { recursive: true });
  await mkdir(join(to, 'templates'), { recursive: true });
  await writeFile(join(to, 'guide/guide.pdf'), guide);
  await writeFile(join(to, 'templates/example-briefing.html'), example);
}

/** The JSON of the section that shows good output. */
export function exampleOf(prompt: string): string {
  const example = /^```json example\n([\s\S]*?)^```$/m.exec(prompt)?.[1];
  if (example === undefined) throw new Error('the prompt has no example');
  return example;
}

const started = process.argv[1];
if (started !== undefined && import.meta.url === pathToFileURL(resolve(started)).href) {
  const pack = resolve('products/overnight-cos-pack');
  await buildPack({ from: pack, to: pack });
}
