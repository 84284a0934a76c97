import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A file of the project by its path from the root, from the sources and from what they are compiled to. */
export function projectFile(path: string): string {
  for (let folder = new URL('./', import.meta.url); ; folder = new URL('../', folder)) {
    if (existsSync(new URL('package.json', folder))) return fileURLToPath(new URL(path, folder));
    if (folder.pathname === '/') throw new Error('this is not inside the project');
  }
}
