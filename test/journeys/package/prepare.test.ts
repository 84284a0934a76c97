import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { projectFile } from '../../../tools/project-file.ts';

const { scripts } = JSON.parse(readFileSync(projectFile('package.json'), 'utf8'));
const folder = mkdtempSync(join(tmpdir(), 'assay-prepare-'));
afterAll(() => rmSync(folder, { recursive: true }));

const env = { PATH: process.env['PATH'], GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
const quietly = { env, encoding: 'utf8', stdio: 'pipe' } as const;

function repository(name: string): string {
  const place = join(folder, name);
  mkdirSync(place);
  execFileSync('git', ['init', '--quiet'], { ...quietly, cwd: place });
  return place;
}

/** Without a compiler in its folder the script builds nothing. */
function hooksAfterPrepare(place: string, root: string): string {
  execFileSync('sh', ['-c', scripts.prepare], { ...quietly, cwd: place });
  return execFileSync('git', ['config', '--default', '', '--get', 'core.hooksPath'], {
    ...quietly,
    cwd: root,
  }).trim();
}

describe('npm run prepare', () => {
  it('sets the hooks of its own repository', () => {
    const own = repository('own');
    expect(hooksAfterPrepare(own, own)).toBe('.githooks');
  });

  it('leaves the hooks of a repository around it alone', () => {
    const outer = repository('outer');
    const inner = join(outer, 'vendor');
    mkdirSync(inner);
    expect(hooksAfterPrepare(inner, outer)).toBe('');
  });

  it.each<[npm: string, why: string, code: number]>([
    ['ci', 'an install without the compiler is of use', 0],
    ['pack', 'a package without the program is not', 1],
  ])('without a compiler npm %s names the way to go; %s', (npm, _, code) => {
    const place = mkdtempSync(join(folder, 'bare-'));
    const { status, stderr } = spawnSync('sh', ['-c', scripts.prepare], {
      ...quietly,
      cwd: place,
      env: { ...env, npm_command: npm },
    });
    expect([status, stderr]).toEqual([code, expect.stringContaining('docs/deployment.md')]);
  });
});
