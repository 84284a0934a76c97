import { describe, expect, it } from 'vitest';
import { hexOf } from '../../../test/support/log/memory-tree.ts';
import { seededSigner } from '../../../test/support/log/seeded-signer.ts';
import { checkpointText, parseCheckpoint } from './checkpoint.ts';
import { openNote, signNote } from './note.ts';
import { EMPTY_ROOT } from './tree-hash.ts';

const ROOT = 'CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=';
/** From c2sp.org/tlog-checkpoint. */
const EXAMPLE = `example.com/behind-the-sofa\n20852163\n${ROOT}\n`;

describe('a checkpoint', () => {
  it('is read and written as in the specification', () => {
    const head = parseCheckpoint(EXAMPLE);
    expect(head).toMatchObject({ origin: 'example.com/behind-the-sofa', size: 20_852_163 });
    expect(head === null ? null : checkpointText(head)).toBe(EXAMPLE);
  });

  it('is signed as by the implementation of Sigsum (C2SP issue 99)', () => {
    const origin = 'sigsum.org/v1/tree/e796172b92befd62d9dc67e41c2f5bc9d3100a3023b20b1ca40288dd1c679e69';
    const log = seededSigner(origin, 1, Buffer.concat([Buffer.of(0x11), Buffer.alloc(31)]));
    expect(hexOf(log.key.publicKey)).toBe('66e0b858e462a609e66fe71370c816d8846ff103d5499a22a7fec37fdbc424a7');
    const root = Buffer.from('HA5HAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=', 'base64');
    const note = signNote(checkpointText({ origin, size: 10, root }), [log]);
    expect(note).toBe(
      `${origin}\n10\nHA5HAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n\n— ${origin} gJ2ho0n8F8olcerUF1FFdv235A/5as/coWrpLrtE7ovMeP5whgwouYExowG/lTznxu6OUGjjt5yJQ6bXtTcf718MqAQ=\n`,
    );
    expect(openNote(note, [log.key])).toMatchObject({ signedBy: [{ time: null }] });
  });

  it('may have extension lines, an origin with spaces, and no leaves', () => {
    expect(parseCheckpoint(`${EXAMPLE}extension\nanother one\n`)).toMatchObject({ size: 20_852_163 });
    expect(parseCheckpoint(`a log of ours\n0\n${ROOT}\n`)).toMatchObject({
      origin: 'a log of ours',
      size: 0,
    });
  });

  it.each([
    ['nothing', ''],
    ['two lines', 'a\n1\n'],
    ['no last newline', EXAMPLE.slice(0, -1)],
    ['an empty origin', `\n1\n${ROOT}\n`],
    ['an empty extension line', `${EXAMPLE}\n`],
    ['an empty line between extensions', `${EXAMPLE}a\n\nb\n`],
    ['a leading zero', `a\n01\n${ROOT}\n`],
    ['a sign', `a\n+1\n${ROOT}\n`],
    ['a negative size', `a\n-1\n${ROOT}\n`],
    ['a fraction', `a\n1.0\n${ROOT}\n`],
    ['digits of another script', `a\n١\n${ROOT}\n`],
    ['a blank around the size', `a\n 1\n${ROOT}\n`],
    ['a size beyond the safe integers', `a\n9007199254740992\n${ROOT}\n`],
    ['a size of 2^64', `a\n18446744073709551616\n${ROOT}\n`],
    ['a short root', `a\n1\n${ROOT.slice(4)}\n`],
    ['a long root', `a\n1\nAAAA${ROOT}\n`],
    ['a root in hex', `a\n1\n${'0a'.repeat(32)}\n`],
    ['a root with spare bits', `a\n1\n${ROOT.replace('2I=', '2J=')}\n`],
    ['a root without padding', `a\n1\n${ROOT.slice(0, -1)}\n`],
    ['a carriage return', EXAMPLE.replaceAll('\n', '\r\n')],
  ])('is refused with %s', (_, text) => {
    expect(parseCheckpoint(text)).toBeNull();
  });

  it('is not written for a head that nobody could read', () => {
    const head = { origin: 'a', size: 0, root: EMPTY_ROOT };
    for (const change of [
      { origin: '' },
      { origin: 'a\n1' },
      { size: -1 },
      { size: 1.5 },
      { root: new Uint8Array(31) },
    ]) {
      expect(() => checkpointText({ ...head, ...change })).toThrow('checkpoint');
    }
  });
});
