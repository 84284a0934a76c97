import { readFileSync } from 'node:fs';

const FOLDER = new URL('../../../assets/', import.meta.url);

/** A file that pages link to. */
export function readAsset(name: string): Buffer {
  return readFileSync(new URL(name, FOLDER));
}

/** One stylesheet for all pages. */
export function readStylesheet(): Buffer {
  return Buffer.concat(['base.css', 'check.css', 'receipt.css', 'skips.css'].map(readAsset));
}
