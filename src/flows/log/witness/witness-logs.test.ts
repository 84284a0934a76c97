import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { seededSigner } from '../../../../test/support/log/seeded-signer.ts';
import {
  type Asking,
  askingTree,
  LOG_SIGNER,
  WITNESSED,
} from '../../../../test/support/log/witnessed-tree.ts';
import { witnessFiles } from '../../../adapters/log/witness-files.ts';
import { openNote } from '../../../core/log/note.ts';
import { originHash } from '../../../core/log/witness/origin-hash.ts';
import { createWitness, type Witness } from './witness-logs.ts';

const SIGNER = seededSigner('witness.example/w1', 4);
const NEXT = seededSigner(WITNESSED, 1, 'the next key');
const STRANGER = seededSigner(WITNESSED, 1, 'a stranger');
const HASH = new Uint8Array(32).fill(7);
const tree = askingTree();
const clock = { now: new Date('2026-11-15T12:00:00Z') };

let folder: string;
let witness: Witness;

const open = (onStep?: () => void) =>
  createWitness({
    logs: [LOG_SIGNER.key, NEXT.key],
    signer: SIGNER,
    state: witnessFiles(folder, onStep),
    now: () => clock.now,
  });

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'witness-'));
  clock.now = new Date('2026-11-15T12:00:00Z');
  witness = open();
});
afterEach(() => rmSync(folder, { recursive: true }));

const add = async (oldSize: number, size: number, asking: Asking = {}) =>
  witness.add(await tree.ask(oldSize, size, asking));
const kept = () => witness.checkpoint(originHash(WITNESSED));

describe('a witness', () => {
  it('cosigns growth, and keeps the checkpoint with both signatures', async () => {
    for (const [oldSize, size] of [
      [0, 3],
      [3, 64],
      [64, 100],
      [100, 100],
    ] as const) {
      const answer = await add(oldSize, size);
      const note = await tree.noteAt(size);
      expect(answer.kind).toBe('cosigned');
      const lines = answer.kind === 'cosigned' ? answer.lines : '';
      expect(openNote(note + lines, [LOG_SIGNER.key, SIGNER.key])).toMatchObject({
        signedBy: [{ time: null }, { time: 1_794_744_000 }],
      });
      expect(kept()).toBe(note + lines);
    }
  });

  it.each<[string, number, number, Asking, object]>([
    ['another old size', 4, 100, {}, { kind: 'conflict', size: 8 }],
    ['an old size of 0 from a log that does not know', 0, 100, {}, { kind: 'conflict', size: 8 }],
    ['a checkpoint from before', 4, 6, {}, { kind: 'conflict', size: 8 }],
    ['an old size above the size', 8, 6, {}, { kind: 'malformed' }],
    ['another root of the same size', 8, 8, { root: HASH }, { kind: 'inconsistent' }],
    ['another root of a larger size', 8, 100, { root: HASH }, { kind: 'inconsistent' }],
    ['a proof that is too long', 8, 8, { proof: [HASH] }, { kind: 'inconsistent' }],
    ['no proof', 8, 100, { proof: [] }, { kind: 'inconsistent' }],
    ['an unknown log', 8, 100, { origin: 'other.example/log' }, { kind: 'unknown_log' }],
    ['a stranger as signer', 8, 100, { signers: [STRANGER] }, { kind: 'unsigned' }],
    ['sixty-four hashes', 8, 100, { proof: Array(64).fill(HASH) }, { kind: 'malformed' }],
  ])('at size 8 refuses %s, and keeps what it has', async (_, oldSize, size, asking, expected) => {
    await add(0, 8);
    const before = kept();
    expect(await add(oldSize, size, asking)).toEqual(expected);
    expect(kept()).toBe(before);
  });

  it('knows the empty tree by its one root, and wants no proof from it', async () => {
    expect(await add(0, 0, { root: HASH })).toEqual({ kind: 'inconsistent' });
    expect(await add(0, 5, { proof: [HASH] })).toEqual({ kind: 'inconsistent' });
    expect(await add(0, 0)).toMatchObject({ kind: 'cosigned' });
    expect(await add(0, 5)).toMatchObject({ kind: 'cosigned' });
    expect(await add(0, 0)).toEqual({ kind: 'conflict', size: 5 });
  });

  it('lets exactly one of two growths from one size win', async () => {
    await add(0, 8);
    const [one, other] = await Promise.all([tree.ask(8, 20), tree.ask(8, 30)]);
    expect(witness.add(one)).toMatchObject({ kind: 'cosigned' });
    expect(witness.add(other)).toEqual({ kind: 'conflict', size: 20 });
  });

  it('accepts either key of a rotation, ignores strangers beside it, and refuses a broken line', async () => {
    expect(await add(0, 8, { signers: [NEXT] })).toMatchObject({ kind: 'cosigned' });
    expect(await add(8, 9, { signers: [STRANGER, LOG_SIGNER, NEXT] })).toMatchObject({ kind: 'cosigned' });
    expect(openNote(kept() ?? '', [LOG_SIGNER.key, NEXT.key])).toMatchObject({ signedBy: [{}, {}] });
    expect(kept()?.split('\n— ')).toHaveLength(4);
    const broken = { key: NEXT.key, sign: () => new Uint8Array(64) };
    expect(await add(9, 10, { signers: [LOG_SIGNER, broken] })).toEqual({ kind: 'unsigned' });
  });

  it('answers the same checkpoint with the same line for five seconds, and then with a fresh one', async () => {
    const first = await add(0, 8);
    clock.now = new Date('2026-11-15T12:00:04Z');
    expect(await add(8, 8)).toEqual(first);
    clock.now = new Date('2026-11-15T12:00:05Z');
    const later = await add(8, 8);
    expect(later).toMatchObject({ kind: 'cosigned' });
    expect(later).not.toEqual(first);
  });

  it.each([
    '',
    'old 0\n',
    'old 0\n\n',
    'old 00\n\nx',
    'old -1\n\nx',
    'old 9007199254740993\n\nx',
    'OLD 0\n\nx',
    'old 0\r\n\nx',
  ])('refuses the body %j', (body) => {
    expect(witness.add(body)).toEqual({ kind: 'malformed' });
  });

  it.each<[string, (body: string) => string]>([
    ['two of them', (body) => body + body],
    ['no newline at its end', (body) => body.slice(0, -1)],
    ['a line too many', (body) => body.replace('\n', '\n\n')],
    ['short hashes', (body) => body.replace('\n', '\nAAAA\n')],
    ['a size with a leading zero', (body) => body.replace(`${WITNESSED}\n`, `${WITNESSED}\n0`)],
  ])('refuses a body with %s', async (_, change) => {
    expect(witness.add(change(await tree.ask(0, 8)))).toEqual({ kind: 'malformed' });
  });
});

describe('the files of a witness', () => {
  it('have the old checkpoint when the power fails before the new one is in place', async () => {
    await add(0, 8);
    const before = kept();
    const failing = open(() => {
      throw new Error('power cut');
    });
    const body = await tree.ask(8, 20);
    expect(() => failing.add(body)).toThrow('power cut');
    witness = open();
    expect(kept()).toBe(before);
    expect(await add(8, 30)).toMatchObject({ kind: 'cosigned' });
  });

  it('are not taken for a log that was never seen when they are damaged', async () => {
    await add(0, 8);
    const file = join(folder, originHash(WITNESSED));
    const body = await tree.ask(0, 8);
    const note = readFileSync(file, 'utf8');
    for (const damaged of ['', note.slice(0, 40), note.replace('\n8\n', '\n7\n')]) {
      writeFileSync(file, damaged);
      expect(() => witness.add(body)).toThrow('damaged');
    }
  });

  const evidence = () => readdirSync(folder).filter((name) => name.startsWith('evidence-'));

  it('keep evidence: forks apart from wrong proofs, which anybody can send, and a bounded number of each', async () => {
    await add(0, 8);
    for (let nth = 0; nth < 70; nth += 1) await add(8, 9 + nth, { proof: [] });
    const fork = await askingTree('another').ask(8, 8);
    expect(witness.add(fork)).toEqual({ kind: 'inconsistent' });
    expect(evidence().filter((name) => name.endsWith('-proof'))).toHaveLength(64);
    const [name = ''] = evidence().filter((one) => one.endsWith('-fork'));
    expect(name).toMatch(/^evidence-20261115T120000000Z-[0-9a-f]{16}-fork$/);
    expect(readFileSync(join(folder, name), 'utf8')).toBe(`${kept()}\n${fork}`);
  });

  it('have whole evidence or none when the disk is full or the power fails, and keep it the next time', async () => {
    await add(0, 8);
    const fork = await askingTree('another').ask(8, 8);
    const failing = open(() => {
      throw new Error('no space left');
    });
    expect(() => failing.add(fork)).toThrow('no space left');
    expect(evidence().filter((name) => name.endsWith('-fork'))).toEqual([]);
    witness = open();
    expect(witness.add(fork)).toEqual({ kind: 'inconsistent' });
    const [name = ''] = evidence().filter((one) => one.endsWith('-fork'));
    expect(readFileSync(join(folder, name), 'utf8')).toBe(`${kept()}\n${fork}`);
  });

  it.each<[string, number, number, Asking, number]>([
    ['a larger tree, which may be another one, once', 8, 9, { proof: [HASH] }, 1],
    ['another root of the same size, once', 8, 8, { root: HASH }, 1],
    ['the checkpoint that we have', 8, 8, { proof: [HASH] }, 0],
    ['any tree after the empty one', 0, 8, { proof: [HASH] }, 0],
  ])('of a wrong proof for %s: %i to %i', async (_, oldSize, size, asking, expected) => {
    await add(0, oldSize);
    for (const second of ['01', '02']) {
      clock.now = new Date(`2026-11-15T12:00:${second}Z`);
      expect(await add(oldSize, size, asking)).toEqual({ kind: 'inconsistent' });
    }
    expect(evidence()).toHaveLength(expected);
  });
});
