import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { projectFile } from '../../tools/project-file.ts';

/** The command by which the runbook runs others with the settings of the service. */
const [, command = ''] =
  /`([^`]*assay\.env[^`]* doctor)`/.exec(readFileSync(projectFile('docs/production.md'), 'utf8')) ?? [];

it('a command of the runbook gets settings with blanks in them whole, and the folder of the units', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-runbook-'));
  const file = join(folder, 'assay.env');
  const example = readFileSync(projectFile('deploy/assay.env.example'), 'utf8');
  const filled = example
    .replace('FACILITATOR_AUTH=', 'FACILITATOR_AUTH=X-Api-Key: 1234')
    .replace('BLOCKED_HOSTS=', 'BLOCKED_HOSTS=a.example, 192.0.2.0/24');
  writeFileSync(file, filled);
  const names = ['FACILITATOR_AUTH', 'BLOCKED_HOSTS', 'CONTACT', 'DATA_DIR'];
  const shown = `-p '${JSON.stringify(names)}.map((name) => process.env[name]).join()'`;
  const typed = command.replace('/etc/assay/assay.env', file).replace(/\S*assay doctor$/, shown);
  const run = () =>
    execFileSync('sh', ['-c', typed], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  expect(run()).toBe('X-Api-Key: 1234,a.example, 192.0.2.0/24,mailto:security@example.org,/var/lib/assay\n');
  rmSync(folder, { recursive: true });
});
