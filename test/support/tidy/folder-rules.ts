import { allImports, isOurs, reachability } from './import-rules.ts';
import { importsOf, type SourceTree, sources } from './source-tree.ts';

/** What the code beside src may import, by folder. What is built from src counts as src. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  src: ['src'],
  tools: ['tools', 'src'],
  bench: ['bench', 'tools', 'src'],
  lab: ['lab', 'tools', 'src'],
  scripts: ['scripts', 'tools', 'src'],
  examples: ['examples', 'tools', 'src'],
  test: ['test', 'bench', 'lab', 'scripts', 'examples', 'tools', 'src'],
};
/** A unit test beside its source may use what all tests share. */
const UNIT_TEST_MAY_IMPORT = ['src', 'tools', 'test/support'];

export function folderImportViolations(tree: SourceTree): string[] {
  return code(tree).flatMap(([path, text]) => {
    const allowed = isUnitTest(path) ? UNIT_TEST_MAY_IMPORT : (MAY_IMPORT[topOf(path)] ?? []);
    return importsOf(path, text)
      .filter(({ to }) => tree.has(to) || to.startsWith('dist/'))
      .map(({ to }) => to.replace(/^dist\//, 'src/'))
      .filter((to) => /\.(?:[jt]s|mjs)$/.test(to) && !allowed.some((folder) => to.startsWith(`${folder}/`)))
      .map((to) => `${path} must not import ${to}`);
  });
}

const FILES_MAX = 20;

/** A folder of src with more files than this has more than one subject. Unit tests are not counted. */
export function folderSizeViolations(tree: SourceTree): string[] {
  const sizes = new Map<string, number>();
  for (const [path] of sources(tree)) {
    const folder = path.slice(0, path.lastIndexOf('/'));
    sizes.set(folder, (sizes.get(folder) ?? 0) + 1);
  }
  return [...sizes]
    .filter(([, files]) => files > FILES_MAX)
    .map(([folder]) => `${folder} has more than ${FILES_MAX} files`);
}

const MIGRATIONS = 'src/adapters/store/migrations/';

/** A migration is frozen: it must do tomorrow what it did when it was written, whatever becomes of the code. */
export function migrationViolations(tree: SourceTree): string[] {
  const imports = allImports(tree);
  const reach = reachability(imports.filter(isOurs));
  const steps = [...tree.keys()].filter(
    (path) => path.startsWith(MIGRATIONS) && /\/\d+-[^/]*(?<!\.test)\.ts$/.test(path),
  );
  return steps.flatMap((step) => {
    const files = new Set([step, ...(reach.get(step) ?? [])]);
    return imports
      .filter(({ from, to }) => files.has(from) && from.startsWith(MIGRATIONS) && !to.startsWith(MIGRATIONS))
      .filter(({ to }) => to !== 'kysely')
      .map(({ to }) => `${step} must not depend on ${to}`);
  });
}

function code(tree: SourceTree): [path: string, text: string][] {
  return [...tree].filter(([path]) => topOf(path) in MAY_IMPORT && /\.(?:ts|mjs)$/.test(path));
}

function topOf(path: string): string {
  return path.split('/')[0] ?? '';
}

function isUnitTest(path: string): boolean {
  return path.startsWith('src/') && path.endsWith('.test.ts');
}
