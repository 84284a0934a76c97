import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { build } from 'esbuild';
import { billOfMaterials } from './bill-of-materials.mjs';
import { bundledPackages, licenseTexts } from './license-texts.mjs';

/**
 * dist/ gets every module compiled alone, for the tests and the type declarations; dist/bundle/ what is shipped: the programs and
 * what the package exports, with the packages they use (docs/decisions/0011-ship-a-bundle.md).
 */
const EXPORTED = {
  rules: 'src/rules/judge-answer.ts',
  guard: 'src/guard/index.ts',
  'guard-sqlite': 'src/guard/ledger/sqlite-ledger.ts',
  'guard-postgres': 'src/guard/ledger/postgres-ledger.ts',
  'guard-snapshot': 'src/guard/snapshot/open-snapshot.ts',
  'guard-mcp': 'src/guard/mcp/guard-transport.ts',
  'guard-register': 'src/guard/register.ts',
};
const PROGRAMS = { assay: 'src/main/assay.ts', sandbox: 'src/main/sandbox.ts', serve: 'src/main/serve.ts' };
/** Commands of assay that start often enough to have their own files, few and large, instead of many that all commands share. */
const COMMANDS = { service: 'src/main/serve/run-service.ts', ask: 'src/main/commands/run-ask-command.ts' };
/** The program of the thread that paints; the WebAssembly of its library is a file beside the modules. */
const THREADS = { 'painting-thread': 'src/adapters/pictures/painting-thread.ts' };
const WASM = { from: 'node_modules/@resvg/resvg-wasm/index_bg.wasm', to: 'dist/bundle/resvg.wasm' };
/** What is built together shares its code, which is cut wherever one part of it may be loaded without another. */
const GROUPS = [
  EXPORTED,
  { assay: PROGRAMS.assay, sandbox: PROGRAMS.sandbox },
  { serve: PROGRAMS.serve, service: COMMANDS.service },
  { ask: COMMANDS.ask },
  THREADS,
];
/** As deep below the root as the modules of src/, so that they find catalog/, rules/ and assets/ by the same relative path. */
const MODULES = 'dist/bundle/node';
const TYPES = 'dist/bundle/types';
const LICENSES = 'dist/bundle/third-party-licenses.txt';
const BILL = 'dist/bundle/sbom.cdx.json';

/**
 * What CommonJS code calls for the modules of Node. Not an import: the guard shares this file and runs without Node, too. Only when
 * it is called: who bundles us into CommonJS has no import.meta.url.
 */
const REQUIRE = `const require = globalThis.process?.getBuiltinModule && ((name) => {
  const { getBuiltinModule } = globalThis.process;
  return getBuiltinModule(name) ?? getBuiltinModule('node:module').createRequire(import.meta.url)(name);
});
`;
/** Web Crypto is part of Node since 20, and this file works everywhere. */
const WEB_CRYPTO = './node_modules/@noble/hashes/esm/crypto.js';

/** A command with its own files is loaded from there. */
const OWN_FILES = {
  name: 'own-files',
  setup({ initialOptions, onResolve }) {
    const others = Object.entries(COMMANDS).filter(([name]) => !(name in initialOptions.entryPoints));
    onResolve({ filter: /\.ts$/ }, ({ path, kind }) => {
      const [name] = others.find(([, source]) => source.endsWith(path.replace(/^[./]+/, ''))) ?? [];
      return kind === 'dynamic-import' && name !== undefined
        ? { path: `./${name}.js`, external: true }
        : null;
    });
  },
};

/**
 * What a program loads later imports its first part, which is there by then. So all of them share the whole of it, and it is one file:
 * cut by who uses what, it would be forty, and a millisecond for each.
 */
function behind(first) {
  const namespace = 'behind';
  return {
    name: namespace,
    setup({ onResolve, onLoad, resolve: find }) {
      onResolve({ filter: /^\./, namespace: 'file' }, async ({ path, kind, resolveDir }) => {
        if (kind !== 'dynamic-import') return null;
        const found = await find(path, { kind: 'import-statement', resolveDir });
        return found.external ? null : { path: relative('.', found.path), namespace };
      });
      onLoad({ filter: /./, namespace }, ({ path }) => ({
        contents: `import './${first}';\nexport * from './${path}';`,
        resolveDir: resolve('.'),
      }));
    },
  };
}

async function bundleGroup(entryPoints) {
  const { outputFiles, metafile } = await build({
    entryPoints,
    outdir: MODULES,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    charset: 'utf8',
    legalComments: 'none',
    alias: { '@noble/hashes/crypto': WEB_CRYPTO },
    plugins: [OWN_FILES, ...('serve' in entryPoints ? [behind(COMMANDS.service)] : [])],
    // Found by the program at run time, or never: a native driver that pg only loads on demand.
    external: ['@photostructure/sqlite', 'pg-native'],
    metafile: true,
    write: false,
    logLevel: 'warning',
  });
  const files = outputFiles.map(({ path, text }) => [
    relative('.', path),
    text.includes('typeof require') ? text.replace(/^(#!.*\n)?/, `$1${REQUIRE}`) : text,
  ]);
  return { files, metafile };
}

async function bundle() {
  const groups = await Promise.all(GROUPS.map(bundleGroup));
  replaceFolder(MODULES, new Map(groups.flatMap(({ files }) => files)));
  for (const name of Object.keys(PROGRAMS)) chmodSync(join(MODULES, `${name}.js`), 0o755);
  copyFileSync(WASM.from, WASM.to);
  const packages = bundledPackages(groups.map(({ metafile }) => metafile));
  writeFileSync(LICENSES, licenseTexts(packages));
  writeFileSync(BILL, billOfMaterials(packages));
}

const SPECIFIER = /((?:from |import\()['"])([^'"]+)(['"])/g;

/** The declarations that the entries reach, and no others: what they import has to be in the package. */
function copyTypes() {
  const files = new Map();
  const queue = Object.values(EXPORTED).map((source) =>
    source.replace(/^src\//, '').replace(/\.ts$/, '.d.ts'),
  );
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    const place = join(TYPES, path);
    if (files.has(place)) continue;
    const text = readFileSync(join('dist', path), 'utf8');
    for (const [, , name] of text.matchAll(SPECIFIER)) {
      if (name.startsWith('.')) queue.push(join(dirname(path), name).replace(/\.ts$/, '.d.ts'));
      else if (!name.startsWith('node:'))
        throw new Error(`${path} has types of ${name}, which is not shipped`);
    }
    files.set(
      place,
      text.replace(SPECIFIER, (_, ...[before, name, after]) => before + name.replace(/\.ts$/, '.js') + after),
    );
  }
  replaceFolder(TYPES, files);
}

/** Written before the old files go: a program that runs from here may still load some. */
function replaceFolder(folder, files) {
  for (const [path, text] of files) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  const found = readdirSync(folder, { recursive: true, withFileTypes: true });
  for (const file of found) {
    const path = join(file.parentPath, file.name);
    if (file.isFile() && !files.has(path)) rmSync(path);
  }
}

async function compile() {
  const compiler = spawn(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], {
    stdio: 'inherit',
  });
  const [code] = await once(compiler, 'exit');
  if (code !== 0) process.exit(1);
}

await Promise.all([compile(), bundle()]);
copyTypes();
