import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { operate } from '../../../test/support/running/command-line.ts';
import { CLIENT } from '../../../test/support/vantage/running-vantage.ts';
import { noteKeyText, parseNoteKey } from '../../core/log/note.ts';
import { readConfig } from '../config/config.ts';
import { runVantage } from './vantage.ts';

let folder: string;
const at = (name: string) => join(folder, name);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vantage-'));
  writeFileSync(at('clients'), `client ${noteKeyText(CLIENT.key)}\n`);
});
afterEach(() => rmSync(folder, { recursive: true }));

/** One that is told to stop as soon as it listens. */
const run = (...argv: string[]) =>
  operate(['vantage', ...argv], (given, output) =>
    runVantage(given, output, { stop: AbortSignal.abort(), reading: readConfig({}) }),
  );
const usual = () => ['--key', at('key'), '--name', 'v.example', '--clients', at('clients')];
const LOOPBACK = ['--listen', '127.0.0.1:0'];

describe('assay vantage', () => {
  it('prints the same key at every start, of which others cannot read the private part', async () => {
    const first = await run(...usual(), ...LOOPBACK);
    const again = await run(...usual(), ...LOOPBACK);
    expect(first.code).toBe(0);
    expect(parseNoteKey(first.printed[0] ?? '')).toMatchObject({ name: 'v.example', type: 1 });
    expect(again.printed).toEqual(first.printed);
    expect(first.notes).toEqual([
      'assay vantage: BASE_URL is not set: targets cannot look up who sends requests',
      expect.stringMatching(/listening on http:\/\/127\.0\.0\.1:\d+; clients assay\.example\/vantages$/),
    ]);
    expect(statSync(at('key')).mode & 0o777).toBe(0o600);
  });

  it.each<[string, () => string[], string]>([
    ['no key', () => usual().slice(2), '--key is required'],
    ['no name', () => [...usual().slice(0, 2), ...usual().slice(4)], '--name is required'],
    ['no clients', () => usual().slice(0, 4), '--clients is required'],
    ['a name with a plus', () => [...usual(), '--name', 'v+1'], '--name must not'],
    ['a place without a port', () => [...usual(), '--listen', '127.0.0.1'], '--listen must be'],
    ['clients that are not there', () => [...usual(), '--clients', at('none')], 'cannot read the clients'],
  ])('refuses %s, in one line', async (_, argv, problem) => {
    const { code, notes } = await run(...argv());
    expect(code).toBe(notes[0]?.endsWith('--help') ? 2 : 1);
    expect(notes).toHaveLength(1);
    expect(notes[0]).toContain(problem);
  });

  it.each([
    ['a client that cannot be read', 'clients', 'client x\n', 'line 1: A client needs'],
    ['no client', 'clients', '# nobody\n', 'no client line'],
    ['a key that is none', 'key', 'abc\n', 'must be 64 hexadecimal digits'],
  ])('refuses %s', async (_, name, text, problem) => {
    writeFileSync(at(name), text);
    const { code, notes } = await run(...usual(), ...LOOPBACK);
    expect([code, notes[0]]).toEqual([1, expect.stringContaining(problem)]);
  });
});
