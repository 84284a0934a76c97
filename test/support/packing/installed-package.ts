import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { projectFile } from '../../../tools/project-file.ts';

const execute = promisify(execFile);
const ROOT = projectFile('.');

/** What a user has who installs the packed project into an empty folder. */
export interface InstalledPackage {
  readonly folder: string;
  /** Exit code and output of a command there. */
  run(command: string, argv: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ran>;
  /** With the settings of this machine, and from npm's cache where a package is there. */
  npm(argv: readonly string[]): Promise<unknown>;
}

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Needs what `npm run build` makes. */
export async function installPacked(
  folder: string,
  options: readonly string[] = [],
): Promise<InstalledPackage> {
  mkdirSync(folder, { recursive: true });
  const packed = await execute('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], {
    cwd: ROOT,
  });
  const file = /"filename": "([^"]+)"/.exec(packed.stdout)?.[1] ?? '';
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  const npm = (argv: readonly string[]) =>
    execute('npm', [...argv, '--prefer-offline', '--no-audit', '--no-fund'], { cwd: folder });
  await npm(['install', ...options, `./${file}`]);
  return { folder, npm, run: (command, argv, env = {}) => run(command, argv, { folder, env }) };
}

async function run(
  command: string,
  argv: readonly string[],
  { folder, env }: { readonly folder: string; readonly env: Readonly<Record<string, string>> },
): Promise<Ran> {
  const { PATH, HOME } = process.env;
  const child = spawn(command, [...argv], {
    cwd: folder,
    env: { PATH, HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code, out, err };
}

/** Where `scripts/install-nodes` puts a version of Node. */
export function nodeOf(major: number): string {
  const { ASSAY_NODES, XDG_CACHE_HOME } = process.env;
  return join(
    ASSAY_NODES ?? join(XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'assay/nodes'),
    `${major}/bin/node`,
  );
}

/** The bytes of all files below a folder; links are not followed. */
export function bytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0);
}
