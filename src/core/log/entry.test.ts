import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { seededSigner } from '../../../test/support/log/seeded-signer.ts';
import { entryText, type LogEntry, parseEntry, runReceiptEntry, WITHDRAWAL_REASONS } from './entry.ts';
import { parseBundle, writeBundle } from './entry-bundle.ts';
import { noteKeyText } from './note.ts';
import { parsePromise, promiseText } from './promise.ts';

const ID = 'sc-7914a92c6b07a6ac';
const HASH = 'BP56ukmq51fE6wBVuajAH5KIlZnpkFYKXEVqpZqdBQc=';
const sha256 = Buffer.from(HASH, 'base64');
const vkey = noteKeyText(seededSigner('assay.example/log').key);

const ENTRIES: [LogEntry, string][] = [
  [{ kind: 'receipt', id: ID, sha256 }, `assay receipt v1\n${ID}\n${HASH}\n`],
  [{ kind: 'receipt', id: '-', sha256 }, `assay receipt v1\n-\n${HASH}\n`],
  [{ kind: 'run', run: '0a1b2c', sha256 }, `assay run v1\n0a1b2c\n${HASH}\n`],
  [{ kind: 'rules', version: '1', sha256 }, `assay rules v1\n1\n${HASH}\n`],
  [
    { kind: 'withdrawal', id: '0123456789', sha256, because: 'legal' },
    `assay withdrawal v1\n0123456789\n${HASH}\nlegal\n`,
  ],
  ...WITHDRAWAL_REASONS.map((because): [LogEntry, string] => [
    { kind: 'withdrawal', id: ID, sha256, because },
    `assay withdrawal v1\n${ID}\n${HASH}\n${because}\n`,
  ]),
  [{ kind: 'key', change: 'add', vkey }, `assay key v1\nadd\n${vkey}\n`],
  [{ kind: 'key', change: 'end', vkey }, `assay key v1\nend\n${vkey}\n`],
  [
    { kind: 'epoch', origin: 'assay.example/log', size: 471, root: sha256 },
    `assay epoch v1\nassay.example/log\n471 ${HASH}\n`,
  ],
  [{ kind: 'snapshot', run: '0a1b2c', sha256 }, `assay snapshot v1\n0a1b2c\n${HASH}\n`],
  [{ kind: 'correction', id: ID, sha256 }, `assay correction v1\n${ID}\n${HASH}\n`],
];

describe('an entry', () => {
  it.each(ENTRIES)('%o has one text', (entry, text) => {
    expect(entryText(entry)).toBe(text);
    expect(parseEntry(text)).toEqual(entry);
  });

  it.each(ENTRIES)('%o is refused with any line left out, doubled, empty or padded', (_, text) => {
    const lines = text.slice(0, -1).split('\n');
    const joined = (changed: readonly string[]) => `${changed.join('\n')}\n`;
    for (const at of lines.keys()) {
      const line = lines[at] ?? '';
      expect(parseEntry(joined(lines.toSpliced(at, 1)))).toBeNull();
      expect(parseEntry(joined(lines.toSpliced(at, 0, line)))).toBeNull();
      for (const bad of ['', ` ${line}`, `${line} `, `${line}\r`]) {
        // Blanks are part of an origin like any other character.
        if (line === 'assay.example/log' && bad.includes(' ')) continue;
        expect(parseEntry(joined(lines.with(at, bad)))).toBeNull();
      }
    }
    expect(parseEntry(text.slice(0, -1))).toBeNull();
    expect(parseEntry(`${text}\n`)).toBeNull();
  });

  it.each([
    ['nothing', ''],
    ['a kind nobody knows', `assay verdict v1\n${ID}\n${HASH}\n`],
    ['a kind of every object', `assay constructor v1\n${ID}\n${HASH}\n`],
    ['another version', `assay receipt v2\n${ID}\n${HASH}\n`],
    ['the id of a crawl receipt, which is not logged', `assay receipt v1\n0123456789\n${HASH}\n`],
    ['a withdrawal of nothing', `assay withdrawal v1\n-\n${HASH}\nlegal\n`],
    ['a reason nobody knows', `assay withdrawal v1\n${ID}\n${HASH}\nshame\n`],
    ['a short hash', `assay receipt v1\n${ID}\n${HASH.slice(4)}\n`],
    ['a hash with spare bits', `assay receipt v1\n${ID}\n${HASH.replace('c=', 'd=')}\n`],
    ['an unsafe size', `assay epoch v1\na\n9007199254740992 ${HASH}\n`],
    ['two blanks', `assay epoch v1\na\n1  ${HASH}\n`],
    ['a key that is none', 'assay key v1\nadd\nassay.example/log+00000000+AAAA\n'],
    ['a text without end', `assay epoch v1\n${'a'.repeat(5_000)}\n1 ${HASH}\n`],
  ])('is refused: %s', (_, text) => {
    expect(parseEntry(text)).toBeNull();
  });

  it('is not written when it could not be read', () => {
    expect(() => entryText({ kind: 'receipt', id: 'a\nb', sha256 })).toThrow('receipt entry');
    expect(() => entryText({ kind: 'run', run: 'a', sha256: sha256.subarray(1) })).toThrow('run entry');
    expect(() => entryText({ kind: 'epoch', origin: '\ud800', size: 1, root: sha256 })).toThrow(
      'epoch entry',
    );
  });
});

describe('a bundle', () => {
  const entries = [Buffer.from('one'), new Uint8Array(), Buffer.alloc(65_535, 7)];

  it('has each entry behind its length', () => {
    expect(Buffer.from(writeBundle(entries.slice(0, 2))).toString('hex')).toBe('00036f6e650000');
    const parsed = parseBundle(writeBundle(entries), 3);
    expect(parsed?.map((entry) => Buffer.from(entry))).toEqual(entries.map((entry) => Buffer.from(entry)));
  });

  it('is refused with another count, cut anywhere, or with bytes behind it', () => {
    const bytes = writeBundle(entries.slice(0, 2));
    for (const count of [0, 1, 3]) expect(parseBundle(bytes, count)).toBeNull();
    for (let end = 0; end < bytes.length; end += 1) expect(parseBundle(bytes.subarray(0, end), 2)).toBeNull();
    expect(parseBundle(Buffer.concat([bytes, Buffer.of(0)]), 2)).toBeNull();
    expect(parseBundle(Buffer.of(0, 9, 1), 1)).toBeNull();
  });

  it('has at most 256 entries of 65,535 bytes', () => {
    expect(() => writeBundle([Buffer.alloc(65_536)])).toThrow('65,535');
    expect(() => writeBundle(Array.from({ length: 257 }, () => Buffer.of(1)))).toThrow('256');
  });
});

describe('a promise', () => {
  const by = new Date('2026-11-16T14:51:53.999Z');
  const TEXT = `assay promise v1\nassay.example/log\n${ID}\n${HASH}\n2026-11-16T14:51:53Z\n`;

  it('has one text, in whole seconds', () => {
    expect(promiseText({ origin: 'assay.example/log', id: ID, sha256, by })).toBe(TEXT);
    expect(parsePromise(TEXT)).toEqual({
      origin: 'assay.example/log',
      id: ID,
      sha256,
      by: new Date('2026-11-16T14:51:53Z'),
    });
  });

  it.each([
    ['nothing', ''],
    ['another header', TEXT.replace('v1', 'v2')],
    ['no origin', TEXT.replace('assay.example/log', '')],
    ['another id', TEXT.replace(ID, '0123456789')],
    ['another hash', TEXT.replace(HASH, HASH.slice(4))],
    ['milliseconds', TEXT.replace('53Z', '53.000Z')],
    ['a zone', TEXT.replace('53Z', '53+00:00')],
    ['no time', TEXT.replace('2026-11-16T14:51:53Z', '')],
    ['a 31st of November', TEXT.replace('11-16', '11-31')],
    ['a 13th month', TEXT.replace('11-16', '13-16')],
    ['a line more', `${TEXT}x\n`],
    ['no last newline', TEXT.slice(0, -1)],
    ['an origin without end', TEXT.replace('assay.example', 'a'.repeat(2_000))],
  ])('is refused with %s', (_, text) => {
    expect(parsePromise(text)).toBeNull();
  });
});

it('writes the entry of a receipt in a run as any other entry', () => {
  for (let seed = 0; seed < 500; seed += 1) {
    const sha256 = hash('sha256', `statement ${seed}`, 'buffer');
    expect(runReceiptEntry(sha256)).toBe(entryText({ kind: 'receipt', id: '-', sha256 }));
  }
});
