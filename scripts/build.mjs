import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { build } from 'esbuild';
import { licenseTexts } from './license-texts.mjs';

/**
 * dist/ gets every module compiled alone, for the tests and the type declarations; dist/bundle/ what is shipped: the programs and
 * what the package exports, with the packages they use (docs/decisions/0011-ship-a-bundle.md).
 */
const ENTRIES = {
  assay: 'src/main/assay.ts',
  serve: 'src/main/serve.ts',
  sandbox: 'src/main/sandbox.ts',
  rules: 'src/rules/judge-answer.ts',
  guard: 'src/guard/index.ts',
  'guard-sqlite': 'src/guard/ledger/sqlite-ledger.ts',
  'guard-postgres': 'src/guard/ledger/postgres-ledger.ts',
  'guard-snapshot': 'src/guard/snapshot/open-snapshot.ts',
  'guard-mcp': 'src/guard/mcp/guard-transport.ts',
  'guard-register': 'src/guard/register.ts',
};
const PROGRAMS = ['assay', 'serve', 'sandbox'];
/** As deep below the root as the modules of src/, so that they find catalog/, rules/ and assets/ by the same relative path. */
const MODULES = 'dist/bundle/node';
const TYPES = 'dist/bundle/types';
const LICENSES = 'dist/bundle/third-party-licenses.txt';

/** What CommonJS code calls for the modules of Node. Not an import: the guard shares this file and runs without Node, too. */
const REQUIRE =
  "const require = globalThis.process?.getBuiltinModule?.('node:module').createRequire(import.meta.url);\n";
/** Web Crypto is part of Node since 20, and this file works everywhere. */
const WEB_CRYPTO = './node_modules/@noble/hashes/esm/crypto.js';

async function bundle() {
  const { outputFiles, metafile } = await build({
    entryPoints: ENTRIES,
    outdir: MODULES,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    charset: 'utf8',
    legalComments: 'none',
    alias: { '@noble/hashes/crypto': WEB_CRYPTO },
    // Found by the program at run time, or never: a native driver that pg only loads on demand.
    external: ['@photostructure/sqlite', 'pg-native'],
    metafile: true,
    write: false,
    logLevel: 'warning',
  });
  const files = new Map(outputFiles.map(({ path, text }) => [relative('.', path), text]));
  for (const [path, text] of files) {
    if (text.includes('typeof require')) files.set(path, REQUIRE + text);
  }
  replaceFolder(MODULES, files);
  for (const name of PROGRAMS) chmodSync(join(MODULES, `${name}.js`), 0o755);
  writeFileSync(LICENSES, licenseTexts(metafile));
}

const SPECIFIER = /((?:from |import\()['"])([^'"]+)(['"])/g;

/** The declarations that the entries reach, and no others: what they import has to be in the package. */
function copyTypes() {
  const files = new Map();
  const queue = Object.values(ENTRIES)
    .filter((source) => !source.startsWith('src/main/'))
    .map((source) => source.replace(/^src\//, '').replace(/\.ts$/, '.d.ts'));
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
