import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { projectFile } from './project-file.ts';

/** The folder of `initdb` and `postgres`. The script asks the registry only when they are missing, so nothing has to be run first. */
export function postgresPrograms(): string {
  const { status, stdout, stderr, error } = spawnSync(projectFile('scripts/install-postgres'), {
    encoding: 'utf8',
  });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(stderr.trim());
  return join(stdout.trim(), 'bin');
}
