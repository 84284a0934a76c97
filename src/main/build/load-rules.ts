import { readdirSync, readFileSync } from 'node:fs';
import { RULES_VERSION } from '../../core/verdict/verdict.ts';

const FOLDER = new URL('../../../rules/', import.meta.url);
const FILE = /^([0-9]{1,6})\.mjs$/;

/** The rules file of every version by its version. Without that of this release, nobody could judge its receipts again. */
export function loadRules(): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const name of readdirSync(FOLDER)) {
    const version = FILE.exec(name)?.[1];
    if (version !== undefined) files.set(version, readFileSync(new URL(name, FOLDER), 'utf8'));
  }
  if (!files.has(RULES_VERSION)) throw new Error(`rules/${RULES_VERSION}.mjs is missing`);
  return files;
}
