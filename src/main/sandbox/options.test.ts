import { describe, expect, it } from 'vitest';
import { readArguments } from '../../cli/read-arguments.ts';
import { readSandboxOptions } from './options.ts';

function readOptions(argv: readonly string[]) {
  const reading = readArguments('sandbox', argv);
  return reading.kind === 'invalid' ? reading : readSandboxOptions(reading.given);
}

const USUAL = { port: 4_402, allowed: [], json: false, verify: true, crawl: true };
const [FIRST, SECOND] = [
  { address: '127.0.0.1', port: 8_080 },
  { address: '127.9.8.7', port: 9_000 },
];

describe('the arguments of the sandbox', () => {
  it.each<[string, string[], object]>([
    ['none', [], USUAL],
    ['a port', ['--port', '5000'], { ...USUAL, port: 5_000 }],
    ['any port', ['--port=0'], { ...USUAL, port: 0 }],
    ['only paid calls', ['--verify'], { ...USUAL, crawl: false }],
    ['only a crawl', ['--crawl'], { ...USUAL, verify: false }],
    ['both, as by default', ['--verify', '--crawl'], USUAL],
    ['neither', ['--bare'], { ...USUAL, verify: false, crawl: false }],
    ['JSON', ['--json'], { ...USUAL, json: true }],
    ['one target', ['--allow-target', '127.0.0.1:8080'], { ...USUAL, allowed: [FIRST] }],
    [
      'several targets, in both ways to write them',
      ['--allow-target', '127.0.0.1:8080', '--json', '--allow-target=127.9.8.7:9000'],
      { ...USUAL, allowed: [FIRST, SECOND], json: true },
    ],
  ])('%s', (_, words, options) => {
    expect(readOptions(words)).toEqual({ kind: 'options', options });
  });

  const PORT = '--port must be a number from 0 to 65535; 0 takes any free port';
  const TARGET = '--allow-target must be an address of 127.0.0.0/8 and a port, such as 127.0.0.1:8080';
  const TOO_MANY = 'too many arguments. Expected 0 arguments but got 1';

  it.each<[string, string[], string]>([
    ['a port that is a word', ['--port', 'http'], PORT],
    ['a port that is too high', ['--port', '65536'], PORT],
    ['an empty port', ['--port='], PORT],
    ['a port below zero', ['--port=-1'], PORT],
    ['a missing port', ['--port'], "option '--port <port>' argument missing"],
    ['an option for a port', ['--port', '--json'], PORT],
    ['a target by name', ['--allow-target', 'localhost:80'], TARGET],
    ['a target elsewhere', ['--allow-target', '10.0.0.1:80'], TARGET],
    ['a wrong target behind a right one', ['--allow-target=127.0.0.1:1', '--allow-target=x'], TARGET],
    ['an option that nobody knows', ['--allow-any'], "unknown option '--allow-any'"],
    ['a word without an option', ['127.0.0.1:80'], TOO_MANY],
    ['the word of the command', ['sandbox'], TOO_MANY],
    [
      'nothing and something',
      ['--bare', '--crawl'],
      '--bare cannot be used together with --verify or --crawl',
    ],
    ['JSON with a value', ['--json=1'], "unknown option '--json=1' (Did you mean --json?)"],
  ])('%s is one clear line', (_, words, problem) => {
    expect(readOptions(words)).toEqual({ kind: 'invalid', problem });
  });
});
