import { describe, expect, it } from 'vitest';
import { COMMANDS, type CommandName, isCommandName } from './command-table.ts';
import { completionFor } from './commands/completion.ts';
import { readTyped } from './overview.ts';
import { helpOf, readArguments } from './read-arguments.ts';

const NAMES = Object.keys(COMMANDS).filter(isCommandName);

/** The words of a line in a shell, up to a pipe, a redirection or another command. */
function wordsOf(line: string): string[] {
  const words = line.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [];
  const begin = words.findIndex((word) => word === 'assay' || word === '<(assay');
  const rest = words.slice(begin + 1);
  const end = rest.findIndex((word) => ['|', '>', '<', '&&'].includes(word));
  return rest
    .slice(0, end === -1 ? rest.length : end)
    .map((word) => word.replace(/^(['"])(.*)\1$/, '$2').replace(/\)$/, ''));
}

describe.each(NAMES)('the help of %s', (name: CommandName) => {
  it('has examples of itself that can be typed', () => {
    const { examples } = COMMANDS[name];
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) {
      const typed = readTyped(wordsOf(example));
      expect([example, typed.kind === 'command' && typed.name]).toEqual([example, name]);
      const argv = typed.kind === 'command' ? typed.argv : [];
      expect([example, readArguments(name, argv)]).toMatchObject([example, { kind: 'arguments' }]);
      expect(helpOf(name)).toContain(`  ${example}`);
    }
  });

  it('is asked for before and behind the command', () => {
    const words = name.split(' ');
    for (const argv of [
      ['help', ...words],
      [...words, '--help'],
    ])
      expect(readTyped(argv)).toEqual({ kind: 'command', name, argv: ['--help'] });
  });

  it('has the options that a shell completes', () => {
    for (const { flags } of COMMANDS[name].options) {
      const [option = ''] = flags.split(' ', 1);
      expect(helpOf(name)).toContain(option);
      for (const shell of ['bash', 'zsh']) expect(completionFor(shell)).toContain(option);
      expect(completionFor('fish')).toContain(`-l ${option.slice(2)}`);
    }
  });
});

it('says what a dry run does', () => {
  expect(helpOf('check').replace(/\s+/g, ' ')).toContain(
    '--dry-run the same unpaid request and a public receipt, but never an approval',
  );
});
