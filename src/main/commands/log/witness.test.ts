import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LOG_SIGNER } from '../../../../test/support/log/witnessed-tree.ts';
import { operate } from '../../../../test/support/running/command-line.ts';
import { noteKeyText, parseNoteKey } from '../../../core/log/note.ts';
import { runWitness } from './witness.ts';

let folder: string;
const at = (name: string) => join(folder, name);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'witness-'));
  writeFileSync(at('logs'), `log ${noteKeyText(LOG_SIGNER.key)}\nquorum none\n`);
});
afterEach(() => rmSync(folder, { recursive: true }));

/** One that is told to stop as soon as it listens. */
const run = (...argv: string[]) =>
  operate(['witness', ...argv], (given, output) => runWitness(given, output, AbortSignal.abort()));
const usual = () => ['--policy', at('logs'), '--key', at('key'), '--name', 'w.example', '--data', at('data')];
const LOOPBACK = ['--listen', '127.0.0.1:0'];

describe('assay witness', () => {
  it('prints the same key at every start', async () => {
    const first = await run(...usual(), ...LOOPBACK);
    const again = await run(...usual(), ...LOOPBACK);
    expect(first.code).toBe(0);
    expect(parseNoteKey(first.printed[0] ?? '')).toMatchObject({ name: 'w.example', type: 4 });
    expect(again.printed).toEqual(first.printed);
    expect(first.notes[0]).toMatch(/listening on http:\/\/127\.0\.0\.1:\d+; witnesses log\.example\/log$/);
  });

  it('refuses a folder that another one uses, which could cosign a fork, and takes it when that one has ended', async () => {
    const ending = new AbortController();
    const first = operate(['witness', ...usual(), ...LOOPBACK], async (given, output) => {
      const running = runWitness(given, output, ending.signal);
      await vi.waitFor(() => expect(existsSync(join(at('data'), 'lock'))).toBe(true));
      const second = await run(...usual(), ...LOOPBACK);
      ending.abort();
      expect(second.code).toBe(1);
      expect(second.notes).toEqual([expect.stringContaining(`another assay witness uses ${at('data')}`)]);
      return running;
    });
    expect((await first).code).toBe(0);
    expect((await run(...usual(), ...LOOPBACK)).code).toBe(0);
  });

  it.each<[string, () => string[], string]>([
    ['no policy', () => usual().slice(2), '--policy is required'],
    ['no key', () => usual().filter((_, nth) => nth !== 2 && nth !== 3), '--key is required'],
    ['no name', () => usual().filter((_, nth) => nth !== 4 && nth !== 5), '--name is required'],
    ['a name with a plus', () => [...usual(), '--name', 'w+1'], '--name must not'],
    ['a place without a port', () => [...usual(), '--listen', '127.0.0.1'], '--listen must be'],
    ['a port that is too large', () => [...usual(), '--listen', '127.0.0.1:65536'], '--listen must be'],
    ['a policy that is not there', () => [...usual(), '--policy', at('none')], 'cannot read the policy'],
  ])('refuses %s, in one line', async (_, argv, problem) => {
    const { code, notes } = await run(...argv());
    expect(code).toBe(notes[0]?.endsWith('--help') ? 2 : 1);
    expect(notes).toHaveLength(1);
    expect(notes[0]).toContain(problem);
  });

  it.each([
    ['a policy that cannot be read', 'logs', 'nonsense\n', 'line 1: '],
    ['a policy without logs', 'logs', 'quorum none\n', 'has no log line'],
    ['a key that is none', 'key', 'abc\n', 'must be 64 hexadecimal digits'],
  ])('refuses %s', async (_, name, text, problem) => {
    writeFileSync(at(name), text);
    const { code, notes } = await run(...usual(), ...LOOPBACK);
    expect([code, notes[0]]).toEqual([1, expect.stringContaining(problem)]);
  });
});
