import { Command, CommanderError } from 'commander';
import type { CommandSpec } from './command-table.ts';
import { plainText } from './show/plain-text.ts';

/** What was typed behind a command. */
export interface Arguments {
  readonly words: readonly string[];
  /** The value of an option, null when it was not given. */
  text(name: string): string | null;
  has(name: string): boolean;
}

export type ArgumentsReading =
  | { readonly kind: 'arguments'; readonly given: Arguments }
  /** One line: what is wrong. */
  | { readonly kind: 'wrong'; readonly line: string };

export function readArguments(spec: CommandSpec, argv: readonly string[]): ArgumentsReading {
  const command = commandOf(spec);
  try {
    command.parse([...argv], { from: 'user' });
  } catch (fault) {
    if (fault instanceof CommanderError) return { kind: 'wrong', line: lineOf(fault) };
    throw fault;
  }
  const values = new Map<string, unknown>();
  for (const option of command.options) {
    const key = option.attributeName();
    // Defaults are not given: `--no-color` has one of its own.
    if (command.getOptionValueSource(key) === 'cli')
      values.set(option.long ?? '', command.getOptionValue(key));
  }
  return {
    kind: 'arguments',
    given: {
      words: command.args,
      text: (name) => {
        const value = values.get(name);
        return typeof value === 'string' ? value : null;
      },
      has: (name) => values.has(name),
    },
  };
}

/** The help of one command, with its examples. */
export function helpOf(spec: CommandSpec): string {
  const command = commandOf(spec).description(
    `${spec.says}${spec.more === undefined ? '' : `\n\n${spec.more}`}`,
  );
  const examples = spec.examples.map((example) => `  ${example}`).join('\n');
  return `${command.helpInformation()}\nExamples:\n${examples}`;
}

function commandOf({ name, words, options }: CommandSpec): Command {
  const command = new Command(`assay ${name}`).exitOverride().configureOutput({ writeErr: () => {} });
  command.helpOption('-h, --help', 'this text');
  if (words !== undefined) command.argument(words);
  for (const { flags, says } of options) command.option(flags, says);
  return command.allowExcessArguments(false);
}

/** Its hint, such as "Did you mean --json?", comes on a second line. */
function lineOf({ message }: CommanderError): string {
  return plainText(message.replace(/^error: /, '').replace(/\.$/, ''));
}
