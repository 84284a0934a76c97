import { describe, expect, it } from 'vitest';
import { commandSpec } from '../../test/support/running/command-line.ts';
import { COMMANDS } from './command-table.ts';
import { helpOf, readArguments } from './read-arguments.ts';

describe('arguments', () => {
  it('are words and options in any order', () => {
    const reading = readArguments(commandSpec('check'), [
      'https://a.example/',
      '--claimed-price=0.01',
      '--no-color',
      '--method',
      'POST',
      'https://b.example/',
    ]);
    if (reading.kind !== 'arguments') throw new Error(reading.line);
    const { given } = reading;
    expect(given.words).toEqual(['https://a.example/', 'https://b.example/']);
    expect([given.text('--claimed-price'), given.text('--method'), given.text('--network')]).toEqual([
      '0.01',
      'POST',
      null,
    ]);
    expect([given.has('--no-color'), given.has('--json')]).toEqual([true, false]);
  });

  it.each<[why: string, command: string, argv: readonly string[], line: string]>([
    ['a typing mistake', 'check', ['--jsno'], "unknown option '--jsno' (Did you mean --json?)"],
    ['a value left out', 'check', ['--timeout'], "option '--timeout <seconds>' argument missing"],
    ['a word left out', 'receipt', [], "missing required argument 'id|url'"],
    ['a word too many', 'tasks', ['x'], 'too many arguments. Expected 0 arguments but got 1'],
    ['an option that steers the terminal', 'check', ['--\u001b[2J'], "unknown option '--?[2J'"],
  ])('%s is one line', (_, command, argv, line) => {
    expect(readArguments(commandSpec(command), argv)).toEqual({ kind: 'wrong', line });
  });
});

it.each(COMMANDS.map(({ name }) => name))('assay %s explains itself, with an example', (name) => {
  const help = helpOf(commandSpec(name));
  expect(help).toMatch(new RegExp(`^Usage: assay ${name} `));
  expect(help).toContain(commandSpec(name).says);
  expect(help).toMatch(/\nExamples:\n {2}\S*.*assay /);
});
