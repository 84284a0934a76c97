import { describe, expect, it } from 'vitest';
import { hexOf, leavesOf } from '../../../test/support/log/memory-tree.ts';
import { seededSigner } from '../../../test/support/log/seeded-signer.ts';
import { checkpointText } from './checkpoint.ts';
import { cosign, signNote } from './note.ts';
import { parseProofFile, proofFileText } from './proof-file.ts';
import { EMPTY_ROOT } from './tree-hash.ts';

const log = seededSigner('example.com/fancylog');
const text = checkpointText({ origin: 'example.com/fancylog', size: 109_482, root: EMPTY_ROOT });
const checkpoint = signNote(text, [log]) + cosign(text, 1, seededSigner('witness1.example', 4));
const proof = leavesOf(3);
const [first = EMPTY_ROOT] = proof;
const HASH = Buffer.from(first).toString('base64');

describe('a proof file', () => {
  it('has the form of the specification', () => {
    const file = proofFileText({ index: 73_894, proof: [first], checkpoint, extra: Buffer.from('age') });
    expect(file).toBe(`c2sp.org/tlog-proof@v1\nextra YWdl\nindex 73894\n${HASH}\n\n${checkpoint}`);
  });

  it.each([undefined, new Uint8Array(), Buffer.from('extra data')])('comes back, extra %o', (extra) => {
    for (const hashes of [[], proof]) {
      const file = { index: 0, proof: hashes, checkpoint };
      const parsed = parseProofFile(proofFileText(extra === undefined ? file : { ...file, extra }));
      expect(parsed).toMatchObject({ index: 0, checkpoint });
      expect(parsed?.proof.map(hexOf)).toEqual(hashes.map(hexOf));
      expect(parsed?.extra?.toString()).toBe(extra?.toString());
    }
  });

  const good = proofFileText({ index: 5, proof, checkpoint });
  it.each([
    ['nothing', ''],
    ['another header', good.replace('@v1', '@v2')],
    ['a blank line before', `\n${good}`],
    ['no index', good.replace('index 5\n', '')],
    ['an index with a leading zero', good.replace('index 5', 'index 05')],
    ['an index with a sign', good.replace('index 5', 'index -5')],
    ['an unsafe index', good.replace('index 5', 'index 9007199254740992')],
    ['an index with a word', good.replace('index 5', 'index 5 6')],
    ['extra behind the index', good.replace('index 5', 'index 5\nextra YWdl')],
    ['extra twice', good.replace('index', 'extra YWdl\nextra YWdl\nindex')],
    ['extra that is not base64', good.replace('index', 'extra *\nindex')],
    ['a short hash', good.replace(HASH, HASH.slice(4))],
    ['a hash that is not base64', good.replace(HASH, '*')],
    ['64 hashes', good.replace(HASH, Array.from({ length: 62 }, () => HASH).join('\n'))],
    ['no blank line', good.replace('\n\n', '\n')],
    ['no checkpoint', good.slice(0, good.indexOf('\n\n') + 2)],
    ['a checkpoint without signature', good.slice(0, good.indexOf('— '))],
    ['a note that is no checkpoint', good.replace('109482', 'x')],
    ['a carriage return', good.replaceAll('\n', '\r\n')],
    ['a text without end', good.replace('index', `extra ${'A'.repeat(400_000)}\nindex`)],
  ])('is refused with %s', (_, file) => {
    expect(parseProofFile(file)).toBeNull();
  });
});
