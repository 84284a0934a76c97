import { Command, CommanderError } from 'commander';
import { COMMANDS, type CommandName } from './command-table.ts';
import { plainText } from './show/plain-text.ts';

/** The words and options after the name of a command. */
export interface Arguments {
  readonly words: readonly string[];
  /** The value of an option, null when it was not given. */
  text(name: string): string | null;
  /** All values of an option that may be repeated. */
  all(name: string): readonly string[];
  has(name: string): boolean;
}

export type ArgumentsReading =
  | { readonly kind: 'arguments'; readonly given: Arguments }
  /** One line: what is wrong. */
  | { readonly kind: 'invalid'; readonly problem: string };

export function readArguments(name: CommandName, argv: readonly string[]): ArgumentsReading {
  const command = commandOf(name);
  try {
    command.parse([...argv], { from: 'user' });
  } catch (fault) {
    if (fault instanceof CommanderError) return { kind: 'invalid', problem: lineOf(fault) };
    throw fault;
  }
  const values = new Map<string, unknown>();
  for (const option of command.options) {
    const key = option.attributeName();
    // Skips defaults: `--no-color` has one of its own.
    if (command.getOptionValueSource(key) === 'cli')
      values.set(option.long ?? '', command.getOptionValue(key));
  }
  return { kind: 'arguments', given: argumentsOf(command.args, values) };
}

function argumentsOf(words: readonly string[], values: ReadonlyMap<string, unknown>): Arguments {
  const isText = (value: unknown): value is string => typeof value === 'string';
  return {
    words,
    text: (name) => [values.get(name)].find(isText) ?? null,
    all: (name) => [values.get(name)].flat().filter(isText),
    has: (name) => values.has(name),
  };
}

/** A whole number from 1 to `max`; null when it is not one. */
export function readCount(text: string, max: number): number | null {
  const count = /^[1-9][0-9]{0,6}$/.test(text) ? Number(text) : 0;
  return count >= 1 && count <= max ? count : null;
}

/** The help of one command, with its examples. */
export function helpOf(name: CommandName): string {
  const { says, more, examples } = COMMANDS[name];
  const command = commandOf(name).description(more === undefined ? says : `${says}\n\n${more}`);
  return `${command.helpInformation()}\nExamples:\n${examples.map((example) => `  ${example}`).join('\n')}`;
}

function commandOf(name: CommandName): Command {
  const { words, options } = COMMANDS[name];
  const command = new Command(`assay ${name}`).exitOverride().configureOutput({ writeErr: () => {} });
  command.helpOption('-h, --help', 'show this help');
  if (words !== undefined) command.argument(words);
  for (const { flags, says, repeats } of options) {
    if (repeats === true) command.option(flags, says, collect);
    else command.option(flags, says);
  }
  return command.allowExcessArguments(false);
}

function collect(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}

/** One line: commander puts its hint, such as "Did you mean --json?", on a second one. */
function lineOf({ message }: CommanderError): string {
  return plainText(message.replace(/^error: /, '').replace(/\.$/, ''));
}
