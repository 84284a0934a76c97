import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededSigner } from '../../../test/support/log/seeded-signer.ts';
import { checkpointText, parseCheckpoint } from './checkpoint.ts';
import { entryText, parseEntry } from './entry.ts';
import { parseBundle, writeBundle } from './entry-bundle.ts';
import { cosign, noteKeyText, openNote, parseNoteKey, signNote } from './note.ts';
import { parsePolicy } from './policy.ts';
import { parsePromise, promiseText } from './promise.ts';
import { type ProofFile, parseProofFile, proofFileText } from './proof-file.ts';
import { entriesPath, type LogFile, parseTilePath, tilePath } from './tile.ts';
import { EMPTY_ROOT } from './tree-hash.ts';
import { addCheckpointText, parseAddCheckpoint } from './witness/add-checkpoint.ts';
import { openRequest } from './witness/judge-checkpoint.ts';

const log = seededSigner('log.example');
const witness = seededSigner('witness.example', 4);
const head = { origin: 'log.example', size: 3, root: EMPTY_ROOT };
const TEXT = checkpointText(head);
const NOTE = signNote(TEXT, [log]) + cosign(TEXT, 1, witness);
const KEYS = [log.key, witness.key];
const PROMISE = {
  origin: 'log.example',
  id: 'sc-7914a92c6b07a6ac',
  sha256: EMPTY_ROOT,
  by: new Date('2026-11-16T14:51:53Z'),
};

const REQUEST = addCheckpointText({ oldSize: 0, proof: [EMPTY_ROOT], note: NOTE });

/** Good texts to start from: chance alone never gets past the first line. */
const SEEDS: readonly string[] = [
  NOTE,
  TEXT,
  noteKeyText(log.key),
  `log ${noteKeyText(log.key)}\nwitness w ${noteKeyText(witness.key)}\ngroup g 1 w\nquorum g\n`,
  proofFileText({ index: 1, proof: [EMPTY_ROOT], checkpoint: NOTE, extra: Buffer.of(1) }),
  entryText({ kind: 'epoch', ...head }),
  entryText({ kind: 'key', change: 'add', vkey: noteKeyText(log.key) }),
  promiseText(PROMISE),
  REQUEST,
  tilePath({ level: 1, index: 1_234_067, width: 3 }),
];
const PIECES = [
  '\n',
  '\n\n',
  '\r',
  '\0',
  '\t',
  ' ',
  '+',
  '=',
  '—',
  '\u00a0',
  '\ud800',
  '\u0085',
  '-',
  '0',
  '٣',
  'x',
  '/',
  '__proto__',
];

/** A good text with up to four cuts, insertions, repetitions or foreign parts. */
const mutated = fc
  .tuple(
    fc.constantFrom(...SEEDS),
    fc.array(
      fc.record({
        from: fc.nat({ max: 600 }),
        length: fc.nat({ max: 40 }),
        piece: fc.oneof(fc.constantFrom(...PIECES), fc.constantFrom(...SEEDS), fc.string({ unit: 'binary' })),
      }),
      { maxLength: 4 },
    ),
  )
  .map(([seed, changes]) =>
    changes.reduce(
      (text, { from, length, piece }) => text.slice(0, from) + piece + text.slice(from + length),
      seed,
    ),
  );

const text = fc.oneof({ weight: 5, arbitrary: mutated }, fc.string({ unit: 'binary' }));
const RUNS = { numRuns: 3_000 };

/** Each parser, followed by the function that writes what it read; null where it refuses. */
const AGAIN: readonly [what: string, again: (input: string) => string | null][] = [
  ['verifier key', (input) => mapped(parseNoteKey(input), noteKeyText)],
  ['entry', (input) => mapped(parseEntry(input), entryText)],
  ['promise', (input) => mapped(parsePromise(input), promiseText)],
  ['path', (input) => mapped(parseTilePath(input), pathAgain)],
  ['request to a witness', (input) => mapped(parseAddCheckpoint(input), addCheckpointText)],
  ['proof file', (input) => mapped(parseProofFile(input), proofAgain)],
  // Extension lines are read and dropped.
  [
    'checkpoint',
    (input) => mapped(parseCheckpoint(input), (found) => checkpointText(found) + linesFrom(3, input)),
  ],
];

function mapped<T>(value: T | null, change: (value: T) => string): string | null {
  return value === null ? null : change(value);
}

const pathAgain = (file: LogFile) =>
  file.kind === 'hashes' ? tilePath(file.tile) : entriesPath(file.index, file.width);

const proofAgain = ({ extra, ...rest }: ProofFile) =>
  proofFileText(extra === null ? rest : { ...rest, extra });

const linesFrom = (first: number, input: string) => input.split('\n').slice(first).join('\n');

describe('the text of a stranger', () => {
  it.each(AGAIN)('as a %s is refused or written the same again, and nothing throws', (_, again) => {
    fc.assert(
      fc.property(text, (input) => {
        expect(again(input) ?? input).toBe(input);
      }),
      RUNS,
    );
  });

  it.each(AGAIN)('is sometimes a %s, so that the test above means something', (_, again) => {
    expect([...SEEDS, 'tile/entries/000'].some((seed) => again(seed) === seed)).toBe(true);
  });

  it('as a policy is read or refused at a line', () => {
    fc.assert(
      fc.property(text, (input) => {
        const policy = parsePolicy(input);
        expect('fault' in policy ? policy.line : 1).toBeGreaterThan(0);
      }),
      RUNS,
    );
  });

  it('opens only when the text is one that was signed', () => {
    fc.assert(
      fc.property(text, (input) => {
        const opened = openNote(input, KEYS);
        if (typeof opened !== 'string') expect(opened.text).toBe(TEXT);
      }),
      RUNS,
    );
  });

  it('as a request to a witness is refused or has a checkpoint that the log has signed', () => {
    fc.assert(
      fc.property(text, (input) => {
        const opened = openRequest(input, [log.key]);
        if (typeof opened !== 'string') expect(opened.text).toBe(TEXT);
      }),
      RUNS,
    );
    expect(openRequest(REQUEST, [log.key])).toMatchObject({ head, text: TEXT });
  });

  it('as a bundle is read only in its one spelling', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), fc.nat({ max: 8 }), (bytes, count) => {
        const entries = parseBundle(bytes, count);
        if (entries !== null) expect(Buffer.from(writeBundle(entries))).toEqual(Buffer.from(bytes));
      }),
      RUNS,
    );
  });
});
