import { describe, expect, it } from 'vitest';
import { COMMANDS, type CommandName, isCommandName } from './command-table.ts';
import { helpOf, readArguments } from './read-arguments.ts';

describe('arguments', () => {
  it('are words and options in any order', () => {
    const reading = readArguments('check', [
      'https://a.example/',
      '--claimed-price=0.01',
      '--no-color',
      '--method',
      'POST',
      'https://b.example/',
    ]);
    if (reading.kind !== 'arguments') throw new Error(reading.problem);
    const { given } = reading;
    expect(given.words).toEqual(['https://a.example/', 'https://b.example/']);
    expect([given.text('--claimed-price'), given.text('--method'), given.text('--network')]).toEqual([
      '0.01',
      'POST',
      null,
    ]);
    expect([given.has('--no-color'), given.has('--json')]).toEqual([true, false]);
  });

  it('repeat an option that may be repeated', () => {
    const reading = readArguments('verify', ['--service', 'a', '--dry-run', '--service=b']);
    if (reading.kind !== 'arguments') throw new Error(reading.problem);
    expect([reading.given.all('--service'), reading.given.all('--json')]).toEqual([['a', 'b'], []]);
  });

  it.each<[why: string, command: CommandName, argv: readonly string[], problem: string]>([
    ['a typing mistake', 'check', ['--jsno'], "unknown option '--jsno' (Did you mean --json?)"],
    ['a value left out', 'check', ['--timeout'], "option '--timeout <seconds>' argument missing"],
    ['a word left out', 'receipt', [], "missing required argument 'id|url|file'"],
    ['a word too many', 'tasks', ['x'], 'too many arguments. Expected 0 arguments but got 1'],
    ['an option that steers the terminal', 'check', ['--\u001b[2J'], "unknown option '--?[2J'"],
  ])('%s is one line', (_, command, argv, problem) => {
    expect(readArguments(command, argv)).toEqual({ kind: 'invalid', problem });
  });
});

it.each(Object.keys(COMMANDS).filter(isCommandName))('assay %s explains itself, with an example', (name) => {
  const help = helpOf(name);
  expect(help).toMatch(new RegExp(`^Usage: assay ${name} `));
  expect(help).toContain(COMMANDS[name].says);
  expect(help).toMatch(/\nExamples:\n {2}\S*.*assay /);
});
