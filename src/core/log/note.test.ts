import { describe, expect, it } from 'vitest';
import { seededSigner } from '../../../test/support/log/seeded-signer.ts';
import {
  cosign,
  type NoteKey,
  noteKey,
  noteKeyText,
  noteText,
  openNote,
  parseNoteKey,
  signNote,
} from './note.ts';

/** From c2sp.org/signed-note, byte for byte. */
const EXAMPLE_KEY = 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k';
const EXAMPLE_LINE =
  '— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n';
const EXAMPLE_TEXT = 'This is an example message.\n';
const EXAMPLE_NOTE = `${EXAMPLE_TEXT}\n${EXAMPLE_LINE}`;

const log = seededSigner('log.example/one');
const other = seededSigner('log.example/two');
const witness = seededSigner('witness.example', 4);
const TEXT = 'log.example/one\n1\nYWJj\n';
const NOTE = signNote(TEXT, [log]);

const exampleKey = (): NoteKey => {
  const key = parseNoteKey(EXAMPLE_KEY);
  if (key === null) throw new Error('the key of the specification must parse');
  return key;
};

describe('the example of the specification', () => {
  it('opens', () => {
    expect(openNote(EXAMPLE_NOTE, [exampleKey()])).toEqual({
      text: EXAMPLE_TEXT,
      signedBy: [{ key: exampleKey(), time: null, line: EXAMPLE_NOTE.slice(EXAMPLE_NOTE.indexOf('—')) }],
    });
  });

  it('has a verifier key that is written as it was read', () => {
    expect(exampleKey()).toMatchObject({ name: 'example.com/foo', id: 0x530d903a, type: 1 });
    expect(noteKeyText(exampleKey())).toBe(EXAMPLE_KEY);
  });

  it('is refused with any other text', () => {
    expect(openNote(EXAMPLE_NOTE.replace('message', 'massage'), [exampleKey()])).toBe('bad_signature');
  });
});

describe('a verifier key', () => {
  it.each([
    ['nothing', ''],
    ['no id', 'example.com/foo+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k'],
    ['an id that is not its hash', EXAMPLE_KEY.replace('530d903a', '530d903b')],
    ['an id in capitals', EXAMPLE_KEY.replace('530d903a', '530D903A')],
    ['another name', EXAMPLE_KEY.replace('foo', 'bar')],
    ['no name', EXAMPLE_KEY.replace('example.com/foo', '')],
    ['a space in the name', EXAMPLE_KEY.replace('/', ' ')],
    ['a no-break space in the name', EXAMPLE_KEY.replace('/', '\u00a0')],
    ['half a character in the name', EXAMPLE_KEY.replace('/', '\ud800')],
    ['a control character in the name', EXAMPLE_KEY.replace('/', '\u0001')],
    ['a type nobody knows', noteKeyText({ ...log.key, publicKey: log.key.publicKey }).replace('+A', '+B')],
    ['a key that is too short', 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U0='],
    ['a line end', `${EXAMPLE_KEY}\n`],
    ['a blank before it', ` ${EXAMPLE_KEY}`],
    ['a name longer than any', `${'a'.repeat(2_000)}${EXAMPLE_KEY}`],
  ])('is refused with %s', (_, vkey) => {
    expect(parseNoteKey(vkey)).toBeNull();
  });

  it('comes back from its text for both types and names outside of ASCII', () => {
    for (const { key } of [log, witness, seededSigner('bücher.example/λ')]) {
      expect(parseNoteKey(noteKeyText(key))).toEqual(key);
    }
  });

  it('is not made of a bad name or a key of another length', () => {
    expect(() => noteKey('a+b', 1, new Uint8Array(32))).toThrow('key name');
    expect(() => noteKey('a', 1, new Uint8Array(31))).toThrow('32 bytes');
  });
});

describe('opening a note', () => {
  it('takes several signatures and names each known key once', () => {
    const note = signNote(TEXT, [log, other, log]);
    expect(openNote(note, [log.key, other.key])).toMatchObject({
      signedBy: [{ key: log.key }, { key: other.key }],
    });
  });

  it('ignores unknown keys, also those that share the name or the id of a known one', () => {
    const sameName = seededSigner(log.key.name, 1, 'another seed');
    const sameId = { ...seededSigner('stranger.example'), key: { ...log.key, name: 'stranger.example' } };
    expect(openNote(signNote(TEXT, [sameName, sameId, log]), [log.key])).toMatchObject({
      signedBy: [{ key: log.key }],
    });
    expect(openNote(signNote(TEXT, [sameName, sameId]), [log.key])).toBe('unsigned');
  });

  it('refuses a known key with a wrong signature, even beside a right one', () => {
    const forger = { key: log.key, sign: other.sign };
    expect(openNote(signNote(TEXT, [forger]), [log.key])).toBe('bad_signature');
    expect(openNote(signNote(TEXT, [log, forger]), [log.key])).toBe('bad_signature');
    expect(openNote(signNote(TEXT, [other, forger]), [log.key, other.key])).toBe('bad_signature');
  });

  it('lets two known keys with one name and id each verify their own line', () => {
    const twin = { key: { ...other.key, name: log.key.name, id: log.key.id }, sign: other.sign };
    const opened = openNote(signNote(TEXT, [log, twin]), [log.key, twin.key]);
    expect(opened).toMatchObject({ signedBy: [{ key: log.key }, { key: twin.key }] });
  });

  it('splits at the last blank line', () => {
    const text = 'one\n\n\ntwo\n\n';
    expect(openNote(signNote(text, [log]), [log.key])).toMatchObject({ text });
    expect(noteText(signNote(text, [log]))).toBe(text);
  });

  it('takes 17 signatures and 16 of 5 kB, but not 65 and not a megabyte', () => {
    expect(openNote(NOTE + EXAMPLE_LINE.repeat(16), [log.key])).toMatchObject({ text: TEXT });
    const large = `— pq.example ${Buffer.alloc(5_000, 7).toString('base64')}\n`;
    expect(openNote(NOTE + large.repeat(16), [log.key])).toMatchObject({ text: TEXT });
    expect(openNote(NOTE + EXAMPLE_LINE.repeat(64), [log.key])).toBe('malformed');
    expect(openNote(signNote(`${'a'.repeat(1_000_000)}\n`, [log]), [log.key])).toBe('malformed');
  });

  const lines = NOTE.slice(TEXT.length + 1);
  it.each([
    ['nothing', ''],
    ['only a newline', '\n'],
    ['only blank lines', '\n\n\n'],
    ['no signature', `${TEXT}\n`],
    ['no blank line', TEXT + lines],
    ['no last newline', NOTE.slice(0, -1)],
    ['a blank line at the end', `${NOTE}\n`],
    ['a carriage return', NOTE.replace('\n', '\r\n')],
    ['a tab in the text', NOTE.replace('log', 'l\tog')],
    ['a null character', NOTE.replace('log', 'l\0og')],
    ['half a character', NOTE.replace('log', 'l\ud800og')],
    ['a hyphen for the dash', NOTE.replace('—', '-')],
    ['two blanks', NOTE.replace('— ', '—  ')],
    ['a plus in the name', NOTE.replace('— log.', '— log+')],
    ['no name', `${TEXT}\n— ${lines.split(' ')[2]}`],
    ['a word after the signature', `${NOTE.slice(0, -1)} x\n`],
    ['signature bytes that are not base64', NOTE.replace(/\S+\n$/, '****\n')],
    ['base64 without padding', NOTE.replace(/=+\n$/, '\n')],
    ['base64 with spare bits', `${NOTE}— a AAAAAAB=\n`],
    ['a signature of the id alone', `${NOTE}— a AAAAAA==\n`],
    ['one bad line among good ones', `${NOTE}x\n${lines}`],
  ])('finds it malformed with %s', (_, note) => {
    expect(openNote(note, [log.key])).toBe('malformed');
    expect(noteText(note)).toBeNull();
  });

  it('refuses every single flipped bit under the signature', () => {
    const bytes = Buffer.from(NOTE);
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const flipped = Buffer.from(bytes);
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(openNote(flipped.toString(), [log.key])).toBeTypeOf('string');
    }
  });
});

describe('signing', () => {
  it('refuses texts that would not open, and no signer at all', () => {
    for (const text of ['', 'a', 'a\r\n', 'a\ud800\n']) {
      expect(() => signNote(text, [log])).toThrow('newline');
      expect(() => cosign(text, 1, witness)).toThrow('newline');
    }
    expect(() => signNote(TEXT, [])).toThrow('at least one');
  });

  it('keeps the two kinds of keys apart', () => {
    expect(() => signNote(TEXT, [witness])).toThrow('cosigner');
    expect(() => cosign(TEXT, 1, log)).toThrow('cosigner');
  });
});

describe('a cosignature', () => {
  it('signs the header, the time and the text', () => {
    const messages: string[] = [];
    const spy = {
      key: witness.key,
      sign: (message: Uint8Array) => {
        messages.push(`${Buffer.from(message)}`);
        return message;
      },
    };
    const line = cosign(TEXT, 1_679_315_147, spy);
    expect(messages).toEqual([`cosignature/v1\ntime 1679315147\n${TEXT}`]);
    expect(
      Buffer.from(line.split(' ')[2] ?? '', 'base64')
        .subarray(4, 12)
        .toString('hex'),
    ).toBe('00000000641850cb');
  });

  it('opens with its time, beside the signature of the log', () => {
    const line = cosign(TEXT, 1_679_315_147, witness);
    const note = NOTE + line;
    expect(openNote(note, [log.key, witness.key])).toEqual({
      text: TEXT,
      signedBy: [
        { key: log.key, time: null, line: NOTE.slice(TEXT.length + 1) },
        { key: witness.key, time: 1_679_315_147, line },
      ],
    });
  });

  it('counts once with its latest time', () => {
    const note = NOTE + cosign(TEXT, 20, witness) + cosign(TEXT, 30, witness) + cosign(TEXT, 10, witness);
    expect(openNote(note, [witness.key])).toMatchObject({ signedBy: [{ key: witness.key, time: 30 }] });
  });

  it('is refused with another time, of another text, cut, or without a time', () => {
    const line = cosign(TEXT, 20, witness);
    const bytes = Buffer.from(line.split(' ')[2] ?? '', 'base64');
    const lineOf = (signature: Buffer) => `— ${witness.key.name} ${signature.toString('base64')}\n`;
    const later = Buffer.from(bytes);
    later[11] = 21;
    const far = Buffer.from(bytes);
    far[4] = 0x7f;
    for (const bad of [
      lineOf(later),
      lineOf(far),
      lineOf(bytes.subarray(0, -1)),
      lineOf(Buffer.concat([bytes.subarray(0, 4), bytes.subarray(12)])),
      cosign('log.example/one\n2\nYWJj\n', 20, witness),
    ]) {
      expect(openNote(NOTE + bad, [log.key, witness.key])).toBe('bad_signature');
      expect(openNote(NOTE + bad, [log.key])).toMatchObject({ text: TEXT });
    }
  });

  it('is refused with a time that a number cannot hold, even if the rounded one was signed', () => {
    const stamp = Buffer.from('0020000000000001', 'hex');
    const id = Buffer.from(cosign(TEXT, 1, witness).split(' ')[2] ?? '', 'base64').subarray(0, 4);
    const signature = witness.sign(Buffer.from(`cosignature/v1\ntime 9007199254740992\n${TEXT}`));
    const line = `— ${witness.key.name} ${Buffer.concat([id, stamp, signature]).toString('base64')}\n`;
    expect(openNote(NOTE + line, [witness.key])).toBe('bad_signature');
  });

  it('refuses a time that is not a whole number of seconds', () => {
    for (const time of [-1, 0.5, Number.NaN, 2 ** 53]) {
      expect(() => cosign(TEXT, time, witness)).toThrow('seconds');
    }
  });
});
