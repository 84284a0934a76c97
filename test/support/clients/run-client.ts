import { execFile } from 'node:child_process';
import { cpSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { projectFile } from '../../../tools/project-file.ts';
import type { Answered } from './described-answers.ts';

const run = promisify(execFile);
const GENERATE = projectFile('tools/checkers/generate-clients.mjs');
const PROGRAMS = fileURLToPath(new URL('programs', import.meta.url));
const TSC = projectFile('node_modules/typescript/bin/tsc');

/** Strict, but what a generator writes does not pass each of our own rules. */
const TSCONFIG = {
  compilerOptions: {
    target: 'es2023',
    lib: ['es2023', 'dom', 'dom.iterable'],
    module: 'nodenext',
    types: ['node'],
    strict: true,
    noUncheckedIndexedAccess: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    noEmit: true,
  },
  include: ['**/*.ts'],
  exclude: ['node_modules'],
};

/** The clients of a description, and the programs that use them, in a folder of their own. */
export async function generateClients(description: string, folder: string): Promise<void> {
  cpSync(PROGRAMS, folder, { recursive: true });
  symlinkSync(projectFile('node_modules'), join(folder, 'node_modules'));
  const file = join(folder, 'openapi.json');
  writeFileSync(file, description);
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG));
  await run(process.execPath, [GENERATE, file, folder], { cwd: folder });
}

/** What the compiler of the project says about the programs; empty if nothing. */
export async function typeFaults(folder: string): Promise<string> {
  const outcome = await run(process.execPath, [TSC, '-p', folder]).catch((fault: unknown) => Object(fault));
  return String(outcome.stdout);
}

export interface Exchange extends Answered {
  readonly method: string;
  readonly path: string;
}

/** Runs a program and returns all that it was answered. */
export async function runClient(folder: string, name: string, task: object): Promise<readonly Exchange[]> {
  const outfile = join(folder, `${name}.mjs`);
  const options = { bundle: true, platform: 'node', format: 'esm', packages: 'external' } as const;
  await build({ ...options, entryPoints: [join(folder, `${name}.ts`)], outfile, logLevel: 'silent' });
  const { stdout } = await run(process.execPath, [outfile, JSON.stringify(task)], { maxBuffer: 2 ** 26 });
  return JSON.parse(stdout);
}
