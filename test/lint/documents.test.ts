import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { LINT_TABLE } from '../../src/cli/lint-table.ts';
import { helpOf } from '../../src/cli/read-arguments.ts';
import { CHECKS } from '../../src/core/lint/checks.ts';
import { CLIENTS } from '../../src/core/lint/clients/client-reading.ts';
import { projectFile } from '../../tools/project-file.ts';

const read = (path: string) => readFileSync(projectFile(`${path}`), 'utf8');
const DOCUMENT = read('docs/lint.md');

describe('the documents of the lint', () => {
  it('have every check, with its level, its meaning and its fix', () => {
    const escaped = (text: string) => text.replaceAll('|', '\\|').replaceAll('*', '\\*');
    const rows = Object.entries(CHECKS).map(
      ([id, { level, problem, fix }]) => `| \`${id}\` | ${level} | ${escaped(problem)} | ${escaped(fix)} |`,
    );
    const written = DOCUMENT.split('\n').filter((line) =>
      /^\| `[a-z0-9_]+` \| (?:error|warning|note) \|/.test(line),
    );
    expect(written).toEqual(rows);
  });

  it('have every option of the help', () => {
    const options = LINT_TABLE.lint.options.map(({ flags }) => flags.split(' ')[0] ?? '');
    const help = helpOf('lint');
    const commandLine = /\n## Lint\n[\s\S]*?\n## /.exec(read('docs/command-line.md'))?.[0] ?? '';
    for (const option of options) {
      expect(help).toContain(option);
      expect(DOCUMENT).toContain(`\`${option}\``);
      // That one is explained for all commands together.
      if (option !== '--no-color') expect(commandLine).toContain(option);
    }
  });

  it('speak of the payers that are installed', () => {
    const { dependencies, devDependencies } = JSON.parse(read('package.json'));
    const installed: Record<string, string> = { ...dependencies, ...devDependencies };
    for (const client of Object.values(CLIENTS)) {
      const [name = '', version = ''] = client.split(' ');
      expect([name, installed[name]]).toEqual([name, expect.stringMatching(`^${version}\\.`)]);
    }
  });

  it('name the payers, and the inputs of the action', () => {
    for (const name of Object.values(CLIENTS)) expect(DOCUMENT).toContain(name.split(' ')[0]);
    const inputs = [...read('action.yml').matchAll(/\$\{\{ inputs\.([a-z-]+) \}\}/g)].map(([, name]) => name);
    for (const input of inputs) expect(DOCUMENT).toContain(`\`${input}\``);
  });
});
