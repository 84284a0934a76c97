import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { openJson } from '../../wire/payment/paid-answer.ts';
import { type PackFiles, packGoodsJson } from '../../wire/responses/pack-response.ts';

const FOLDER = new URL('../../../products/overnight-cos-pack/', import.meta.url);

export interface Pack {
  /** The answer to a buyer, without the settlement. */
  readonly body: Buffer;
  /** Identifies the version of the pack. */
  readonly sha256: string;
}

/** The pack, read and validated at start: an incomplete one is not sold (gap G65). */
export function loadPack(): Pack {
  const files: PackFiles = {
    prompts: textsIn(new URL('prompts/', FOLDER), '.md'),
    templates: textsIn(new URL('templates/', FOLDER), '.html'),
    guide: readFileSync(new URL('guide/guide.pdf', FOLDER)),
  };
  const isWhole =
    Object.keys(files.prompts).length === PROMPTS &&
    Object.keys(files.templates).length > 0 &&
    [...Object.values(files.prompts), ...Object.values(files.templates)].every(
      (text) => text.trim() !== '',
    ) &&
    Buffer.from(files.guide.subarray(0, 5)).toString('latin1') === '%PDF-';
  if (!isWhole) throw new Error(`the pack in ${basename(FOLDER.pathname)} is not whole`);
  const body = Buffer.from(openJson(packGoodsJson(files)));
  return { body, sha256: createHash('sha256').update(body).digest('hex') };
}

const PROMPTS = 5;

function textsIn(folder: URL, ending: string): Record<string, string> {
  const names = readdirSync(folder).filter((name) => name.endsWith(ending));
  return Object.fromEntries(names.sort().map((name) => [name, readFileSync(new URL(name, folder), 'utf8')]));
}
