import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isCommandName } from '../../src/cli/command-table.ts';
import { readArguments } from '../../src/cli/read-arguments.ts';
import { projectFile } from '../../tools/project-file.ts';

const PROGRAM = '/opt/assay/node_modules/.bin/assay ';
const units = readdirSync(projectFile('deploy/systemd'))
  .filter((name) => name.endsWith('.service'))
  .map((name): [string, string] => [name, readFileSync(projectFile(`deploy/systemd/${name}`), 'utf8')]);

/** Whether systemd accepts them is what `npm run try-deploy -- units` asks it. */
describe.each(units)('%s', (_, text) => {
  const has = (name: string) =>
    [...text.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value);

  it('runs a command of the program', () => {
    const [line = ''] = has('ExecStart');
    const [command = '', ...argv] = (line.split(PROGRAM)[1] ?? '').split(' ');
    if (!isCommandName(command)) throw new Error(`${command} is no command`);
    expect(readArguments(command, argv).kind).toBe('arguments');
  });

  it('is hardened and bounded', () => {
    expect([has('DynamicUser'), has('ProtectSystem'), has('NoNewPrivileges')]).toEqual([
      ['yes'],
      ['strict'],
      ['yes'],
    ]);
    expect([has('CapabilityBoundingSet'), has('MemoryMax').length]).toEqual([[''], 1]);
  });

  it('is hardened like the others', () => {
    const from = '# What the process cannot do';
    const hardening = (unit: string) => unit.slice(unit.indexOf(from)).split('\n\n')[0]?.trim();
    expect(hardening(text)).toBe(hardening(units[0]?.[1] ?? ''));
  });

  it('has its secrets in files', () => {
    for (const value of has('Environment')) expect(value).toMatch(/^(?:PORT=%i|DATA_DIR=\/var\/lib\/assay)$/);
  });
});
