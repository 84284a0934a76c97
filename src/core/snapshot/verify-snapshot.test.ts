import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { seededSigner } from '../../../test/support/log/seeded-signer.ts';
import { CRAWLED_AT, fileOf } from '../../../tools/samples/snapshots.ts';
import { signNote } from '../log/note.ts';
import { snapshotKey } from './snapshot-key.ts';
import { manifestText, readManifest, type SnapshotManifest, snapshotEnd } from './snapshot-manifest.ts';
import { openFile, openManifest } from './verify-snapshot.ts';

const ORIGIN = 'assay.example/log';
const SIGNER = seededSigner(ORIGIN);
const FILE = fileOf([{ key: snapshotKey({ method: 'GET', url: 'https://a.example' }), code: 65, tag: null }]);
const MANIFEST: SnapshotManifest = {
  origin: ORIGIN,
  runId: 'run-1',
  size: 1,
  sha256: hash('sha256', FILE, 'buffer'),
  headSha256: hash('sha256', FILE.subarray(0, fileOf([]).length), 'buffer'),
  expiresAt: snapshotEnd(CRAWLED_AT),
};
const noteOf = (changes: Partial<SnapshotManifest> = {}, signer = SIGNER) =>
  signNote(manifestText({ ...MANIFEST, ...changes }), [signer]);
const open = (note: string) => openManifest(note, SIGNER.key, ORIGIN);

describe('the manifest of a snapshot', () => {
  it('is seven lines', () => {
    expect(manifestText(MANIFEST)).toBe(
      `assay snapshot v1\nassay.example/log\nrun-1\n1\n${MANIFEST.sha256.toString('base64')}\n` +
        `2026-11-29T12:00:00.000Z\n${MANIFEST.headSha256.toString('base64')}\n`,
    );
  });

  it('is read from a note of the trusted key', () => {
    expect(open(noteOf())).toEqual(MANIFEST);
  });

  it.each([
    ['another key', noteOf({}, seededSigner(ORIGIN, 1, 'stranger')), 'unsigned'],
    ['another origin', noteOf({ origin: 'other.example/log' }), 'wrong_origin'],
    ['another text', signNote(`${ORIGIN}\n1\nroot\n`, [SIGNER]), 'wrong_manifest'],
    ['no note', 'x', 'malformed'],
  ])('is refused with %s', (_, note, fault) => {
    expect(open(note)).toBe(fault);
  });

  it('is refused with a changed character anywhere before the end of its signature', () => {
    const note = noteOf();
    const opened = [...note].flatMap((character, at) => {
      const changed = note.slice(0, at) + (character === 'A' ? 'B' : 'A') + note.slice(at + 1);
      return typeof open(changed) === 'string' ? [] : [at];
    });
    expect(opened).toEqual([]);
  });

  it.each<[string, string, string]>([
    ['a size with a zero before it', '\n1\n', '\n01\n'],
    ['a size that no file has', '\n1\n', '\n99999999\n'],
    ['a time in another spelling', '12:00:00.000Z', '12:00:00.0000'],
    ['a day that does not exist', '2026-11-29', '2026-11-31'],
    ['a line more', 'run-1\n', 'run-1\nmore\n'],
  ])('is not read with %s', (_, part, other) => {
    const text = manifestText(MANIFEST);
    expect(readManifest(text)).toEqual(MANIFEST);
    expect(readManifest(text.replace(part, other))).toBeNull();
  });
});

describe('the file of a manifest', () => {
  it('is opened', () => {
    expect(openFile(FILE, MANIFEST)).toMatchObject({ size: 1, head: { crawledAt: CRAWLED_AT } });
  });

  it('is refused with a flipped bit anywhere', () => {
    const file = Buffer.from(FILE);
    const opened: number[] = [];
    for (let at = 0; at < file.length; at += 1) {
      const bit = 1 << (at % 8);
      file[at] = (file[at] ?? 0) ^ bit;
      if (typeof openFile(file, MANIFEST) !== 'string') opened.push(at);
      file[at] = (file[at] ?? 0) ^ bit;
    }
    expect(opened).toEqual([]);
  });

  it('is refused when run or size are others than signed', () => {
    expect(openFile(FILE, { ...MANIFEST, runId: 'run-2' })).toBe('wrong_file');
    expect(openFile(FILE, { ...MANIFEST, size: 2 })).toBe('wrong_file');
  });
});
