import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { build, type Plugin } from 'esbuild';

/** The reader of statements, the judge and its words as one module. The same source gives the same bytes on every machine. */
export async function bundleRules(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: ['scripts/rules-entry.ts'],
    absWorkingDir: process.cwd(),
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    charset: 'utf8',
    legalComments: 'none',
    write: false,
    logLevel: 'silent',
    tsconfigRaw: {},
    plugins: [PURE_MODULES],
  });
  const [file] = outputFiles;
  if (file === undefined) throw new Error('esbuild wrote no file');
  return file.text;
}

/** No module of ours does anything when it is loaded, so that one of which nothing is used can be left out. */
const PURE_MODULES: Plugin = {
  name: 'pure-modules',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir }) => ({
      path: resolve(resolveDir, path),
      sideEffects: false,
    }));
    // Prices that the judge does not look at must not be part of its rules.
    onLoad({ filter: /\/limits\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      return { contents: text.replaceAll('microUsd(', '/* @__PURE__ */ microUsd('), loader: 'ts' };
    });
  },
};
