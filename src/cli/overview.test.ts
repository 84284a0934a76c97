import { describe, expect, it } from 'vitest';
import { readTyped, unknownCommand } from './overview.ts';

describe('what was typed', () => {
  it.each<[string, readonly string[], string, readonly string[]]>([
    ['a command', ['check', '--json'], 'check', ['--json']],
    ['a command of a group', ['guard', 'show', 'pur_1'], 'guard show', ['pur_1']],
    ['help before a command', ['help', 'check'], 'check', ['--help']],
    ['help before a command of a group', ['--help', 'guard', 'show'], 'guard show', ['--help']],
    ['help within a group', ['guard', 'help', 'show'], 'guard show', ['--help']],
    ['help behind a command of a group', ['guard', 'show', '--help'], 'guard show', ['--help']],
    ['a group with an unknown word', ['guard', 'shwo'], 'guard shwo', []],
  ])('is %s', (_, words, name, argv) => {
    expect(readTyped(words)).toEqual({ kind: 'command', name, argv });
  });

  it.each<[string, readonly string[], string]>([
    ['all commands, with no word at all', [], '  serve         run the service'],
    ['all commands', ['help'], '  guard         guard the payments of any agent'],
    ['the group of the log', ['help'], '  log           the transparency log of receipts'],
    ['those of the log', ['help', 'log'], '  check   read the whole transparency log'],
    ['those of a group', ['help', 'guard'], '  ledger    list the last purchases'],
    ['those of a group, by its name alone', ['guard'], '  ledger    list the last purchases'],
    ['those of a group, the other way round', ['guard', '--help'], '  ledger    list the last purchases'],
  ])('asks for %s', (_, words, line) => {
    const typed = readTyped(words);
    expect(typed.kind === 'overview' ? typed.text : '').toContain(line);
  });

  it.each(['--version', '-V', '-v', 'version'])('is the version: %s', (word) => {
    expect(readTyped([word])).toEqual({ kind: 'version' });
  });

  it.each<[typed: string, hint: string]>([
    ['guard shwo', ' (did you mean guard show?)'],
    ['gaurd', ' (did you mean guard?)'],
    ['checks', ' (did you mean check?)'],
    ['guard foo', ''],
    ['guard check', ''],
    ['foo', ''],
  ])('is explained when nothing is known by that name: %s', (typed, hint) => {
    expect(unknownCommand(typed)).toBe(`unknown command "${typed}"${hint}`);
  });
});
