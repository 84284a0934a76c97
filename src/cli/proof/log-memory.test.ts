import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { logWorld, policyOf } from '../../../test/support/log/log-world.ts';
import { type LogMemory, logMemoryIn, type Remembered } from './log-memory.ts';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});
let memory: LogMemory;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-memory-'));
  folders.push(folder);
  memory = logMemoryIn(folder);
});

const world = logWorld();
const notes = Array.from({ length: 20 }, (_, n) => {
  world.addReceipt(n);
  return world.note();
});
const seen = (note = ''): Remembered => ({
  assay: 'log-memory/1',
  policy: policyOf([world]),
  learned: [],
  checkpoints: [{ note, seen_at: '2026-11-15T12:00:00.000Z' }],
});

describe('the memory of logs', () => {
  it('knows nothing at first', async () => {
    expect([await memory.read('a'), await memory.nameAt('b')]).toEqual([null, null]);
  });

  it('keeps the largest checkpoint of processes that write at the same time, and leaves no drafts', async () => {
    await Promise.all(notes.map((note) => memory.keep('a', seen(note))));
    await memory.keep('a', seen(notes.at(-1)));
    await Promise.all(notes.slice(0, 5).map((note) => memory.keep('a', seen(note))));
    expect((await memory.read('a'))?.checkpoints.map(({ note }) => note)).toEqual([notes.at(-1)]);
    expect(readdirSync(folder)).toHaveLength(1);
  });

  it('keeps a checkpoint of each epoch', async () => {
    const later = logWorld({ origin: `${world.origin}/2` });
    later.addReceipt(1);
    await memory.keep('a', seen(notes[0]));
    await memory.keep('a', seen(later.note()));
    expect((await memory.read('a'))?.checkpoints).toHaveLength(2);
  });

  it('keeps the same evidence once', async () => {
    const paths = await Promise.all([memory.keepEvidence('note', 'x'), memory.keepEvidence('note', 'x')]);
    expect(new Set(paths).size).toBe(1);
    expect(readdirSync(join(folder, 'evidence'))).toHaveLength(1);
  });

  it.each(['', '{}', '[1', '{"assay":"log-memory/2"}'])('refuses a damaged file: %s', async (text) => {
    await memory.keep('a', seen(notes[0]));
    writeFileSync(join(folder, readdirSync(folder)[0] ?? ''), text);
    await expect(memory.read('a')).rejects.toThrow('is damaged; remove it');
  });
});
