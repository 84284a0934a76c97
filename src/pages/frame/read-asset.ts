import { readFileSync } from 'node:fs';

const FOLDER = new URL('../../../assets/', import.meta.url);

/** A file that pages link to. */
export function readAsset(name: string): Buffer {
  return readFileSync(new URL(name, FOLDER));
}

const STYLES = [
  'tokens',
  'base',
  'parts',
  'front',
  'check',
  'receipt',
  'skips',
  'charts',
  'catalog',
  'service',
  'host',
  'print',
];

/** One stylesheet for all pages. */
export function readStylesheet(): Buffer {
  return Buffer.concat(STYLES.map((name) => readAsset(`${name}.css`)));
}

/** The fonts of the pages (IBM Plex, SIL Open Font License: the text is beside them). */
export const FONTS = ['plex-sans-400.woff2', 'plex-sans-600.woff2', 'plex-mono-400.woff2'] as const;
