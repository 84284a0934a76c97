import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { projectFile } from '../../tools/project-file.ts';

export interface PreviousRelease {
  /** The commit. */
  readonly commit: string;
  /** Where it is, built. */
  readonly root: string;
  readonly hasOwnPackages: boolean;
  remove(): void;
}

const ARCHIVE_MAX_BYTES = 512 * 1_048_576;
const git = (given: readonly string[]) =>
  execFileSync('git', ['-C', projectFile('.'), ...given], {
    maxBuffer: ARCHIVE_MAX_BYTES,
    stdio: ['ignore', 'pipe', 'ignore'],
  });

/** The newest tag before this commit; null when there is none. */
export function newestTag(): string | null {
  try {
    return git(['describe', '--tags', '--abbrev=0', 'HEAD^']).toString().trim();
  } catch {
    return null;
  }
}

/** The commit that a name stands for; null when there is none. */
export function commitOf(ref: string): string | null {
  try {
    return git(['rev-parse', '--verify', '--end-of-options', `${ref}^{commit}`])
      .toString()
      .trim();
  } catch {
    return null;
  }
}

/** Takes a release from the history into a temporary folder and builds it. */
export function buildRelease(commit: string): PreviousRelease {
  const root = mkdtempSync(join(tmpdir(), 'assay-release-'));
  const remove = () => rmSync(root, { recursive: true, force: true });
  try {
    execFileSync('tar', ['-x', '-C', root], { input: git(['archive', commit]) });
    const hasOwnPackages = packagesOf(root) !== packagesOf(projectFile('.'));
    if (hasOwnPackages) run(root, 'npm', ['ci', '--ignore-scripts']);
    else symlinkSync(projectFile('node_modules'), join(root, 'node_modules'));
    run(root, process.execPath, ['scripts/build.mjs']);
    // The program that runs a replica is this one for both; what it runs is the release.
    const world = projectFile('lab/world/programs');
    mkdirSync(join(root, 'lab/world/programs'), { recursive: true });
    for (const name of readdirSync(world).filter((one) => one.endsWith('.mjs'))) {
      cpSync(join(world, name), join(root, 'lab/world/programs', name));
    }
    return { commit, root, hasOwnPackages, remove };
  } catch (fault) {
    remove();
    throw fault;
  }
}

function run(cwd: string, program: string, given: readonly string[]): void {
  execFileSync(program, given, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
}

const lock = z.object({ packages: z.record(z.string(), z.unknown()) });

/** All that is installed, without the project's own entry. */
function packagesOf(root: string): string {
  const { packages } = lock.parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));
  return JSON.stringify(Object.entries(packages).filter(([path]) => path !== ''));
}
