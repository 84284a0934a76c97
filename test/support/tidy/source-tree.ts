import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { projectFile } from '../../../tools/project-file.ts';

/** Every text file of the project by its path from the root. */
export type SourceTree = ReadonlyMap<string, string>;

export interface Import {
  readonly from: string;
  /** A path from the root for our own files, the name for packages. */
  readonly to: string;
  readonly names: string;
  readonly typeOnly: boolean;
}

const ROOT = projectFile('.');
const NOT_OURS: ReadonlySet<string> = new Set([
  '.git',
  'node_modules',
  'dist',
  'dist-scripts',
  'coverage',
  'data',
]);

export function readProject(): SourceTree {
  return new Map(walk('').map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]));
}

function walk(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name);
    if (NOT_OURS.has(entry.name)) return [];
    return entry.isDirectory() ? walk(path) : [path];
  });
}

/** The files of src/, tests left out. */
export function sources(tree: SourceTree): [path: string, text: string][] {
  return [...tree].filter(
    ([path]) => path.startsWith('src/') && path.endsWith('.ts') && !path.endsWith('.test.ts'),
  );
}

const STATEMENT = /^(?:import|export)\s+(?:(type)\s+)?([^;'"]*?)\s*from\s+'([^']+)'/gm;
const BARE = /^import\s+'([^']+)'/gm;
const DYNAMIC = /\bimport\('([^']+)'\)/g;

export function importsOf(path: string, text: string): Import[] {
  const resolve = (target: string) =>
    target.startsWith('.') ? posix.join(posix.dirname(path), target) : target;
  const statements = [...text.matchAll(STATEMENT)].map(([, type, names = '', target = '']) => ({
    from: path,
    to: resolve(target),
    names,
    typeOnly: type !== undefined,
  }));
  const others = [...text.matchAll(BARE), ...text.matchAll(DYNAMIC)].map(([, target = '']) => ({
    from: path,
    to: resolve(target),
    names: '',
    typeOnly: false,
  }));
  return [...statements, ...others];
}

/** Code without its comments: what a comment says is not what the code does. */
export function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');
}
