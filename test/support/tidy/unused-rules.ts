import { posix } from 'node:path';
import { importsOf, type SourceTree, sources } from './source-tree.ts';

const CODE = /^(?:src|test|bench|lab|tools|scripts|examples)\/.*\.(?:ts|mjs)$|^vitest\.config\.ts$/;
const EXPORTED = /^export (?:async )?(?:function\*?|const|class) (\w+)/gm;
/** Programs and threads are started, and what the package exports is imported by others. */
const ENTRY =
  /^src\/main\/[^/]+\.ts$|^src\/adapters\/pictures\/painting-thread\.ts$|^src\/guard\/(?:index|register|ledger\/(?:sqlite|postgres)-ledger|mcp\/guard-transport)\.ts$|^src\/rules\/judge-answer\.ts$/;

/** Dead code in src/: a file that nothing imports, or a value that nothing imports by its name. */
export function unusedViolations(tree: SourceTree): string[] {
  const uses = usesOf(tree);
  return sources(tree).flatMap(([path, text]) => {
    if (ENTRY.test(path)) return [];
    const names = uses.get(path);
    if (names === undefined) return [`${path} is imported by nothing`];
    if (names.has(EVERYTHING)) return [];
    return [...text.matchAll(EXPORTED)]
      .map(([, name = '']) => name)
      .filter((name) => !names.has(name))
      .map((name) => `${path} exports ${name}, which nothing imports`);
  });
}

/** Stands for every name: a dynamic import does not list them. */
const EVERYTHING = '*';

function usesOf(tree: SourceTree): Map<string, Set<string>> {
  const uses = new Map<string, Set<string>>();
  for (const [path, text] of tree) {
    if (!CODE.test(path)) continue;
    for (const { to, names } of importsOf(path, text)) {
      const source = sourceOf(to);
      const used = uses.get(source) ?? new Set();
      for (const name of namesOf(names)) used.add(name);
      uses.set(source, used);
    }
  }
  return uses;
}

/** A compiled file stands for its source. */
function sourceOf(target: string): string {
  if (!target.endsWith('.js')) return target;
  const source = target.replace(/\.js$/, '.ts');
  if (source.startsWith('dist/')) return posix.join('src', source.slice('dist/'.length));
  return source.replace(/^dist-scripts\//, '');
}

function namesOf(names: string): string[] {
  const listed = /\{([\s\S]*)\}/.exec(names)?.[1];
  if (listed === undefined) return [EVERYTHING];
  return listed
    .split(',')
    .map((name) =>
      name
        .trim()
        .replace(/^type\s+/, '')
        .replace(/\s+as\s+\w+$/, ''),
    )
    .filter((name) => name !== '');
}
