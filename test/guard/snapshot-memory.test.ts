import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseCheckpoint } from '../../src/core/log/checkpoint.ts';
import { noteText } from '../../src/core/log/note.ts';
import { followLog } from '../../src/guard/snapshot/follow-log.ts';
import { fileMemory } from '../../src/guard/snapshot/log-memory.ts';
import { logWorld, ORIGIN } from '../support/log/log-world.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-buyer-'));
});
afterEach(() => rm(folder, { recursive: true }));

const FILE = () => join(folder, 'memory');
const sizeOf = (note: string) => parseCheckpoint(noteText(note) ?? '')?.size;

function grown(size: number, from = 0) {
  const world = logWorld();
  for (let n = from; n < from + size; n += 1) world.addReceipt(n);
  return world;
}

/** One process with this memory, and what the log shows it. */
function buyer(world: ReturnType<typeof grown>, meanwhile = async () => {}) {
  const [signer] = world.keys.signers;
  if (signer === undefined) throw new Error('a log has a key');
  const trusted = { key: signer.key, origin: ORIGIN, memory: fileMemory(FILE()) };
  const read = async (path: string) => {
    const bytes = await world.file(path);
    if (path === 'checkpoint') await meanwhile();
    return bytes === null ? null : Buffer.from(bytes);
  };
  return async () => {
    const bundle = (await world.file('tile/entries/000.p/5')) ?? new Uint8Array();
    const entry = Buffer.from(bundle)
      .subarray(2, 2 + Buffer.from(bundle).readUInt16BE())
      .toString();
    return followLog({ entry, index: 0 }, { trusted, read });
  };
}

it('two that keep at once both do, and leave nothing else', async () => {
  const notes = [grown(5).note(), grown(6).note()];
  const memories = [fileMemory(FILE()), fileMemory(FILE())];
  for (let round = 0; round < 20; round += 1) {
    await Promise.all(memories.map((memory, at) => memory.keep(notes[at] ?? '')));
    expect(notes).toContain(await memories[0]?.read());
  }
  expect(await readdir(folder)).toEqual(['memory']);
});

describe('two processes that remember a log in one file', () => {
  it('keep the larger checkpoint, whoever comes last', async () => {
    const world = grown(7);
    let isFirst = true;
    const fast = buyer(world);
    const slow = buyer(world, async () => {
      if (!isFirst) return;
      isFirst = false;
      for (const n of [7, 8]) world.addReceipt(n);
      expect(await fast()).toBe('there');
    });
    expect(await slow()).toBe('there');
    expect(sizeOf(await readFile(FILE(), 'utf8'))).toBe(9);
  });

  it('find the fork that each of them saw one side of', async () => {
    const [world, other] = [grown(7), grown(7, 1)];
    let isFirst = true;
    const slow = buyer(world, async () => {
      if (isFirst) expect(await buyer(other)()).toBe('there');
      isFirst = false;
    });
    expect(await slow()).toBe('forked');
    expect(await readFile(`${FILE()}.fork`, 'utf8')).toBe(`${other.note()}\n${world.note()}`);
  });
});
