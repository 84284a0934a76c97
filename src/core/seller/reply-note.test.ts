import { describe, expect, it } from 'vitest';
import { replyNote } from './reply-note.ts';

describe('the words of a seller', () => {
  it.each<[string, string, string | null]>([
    ['plain words stay', 'The price went up on 1 November.', 'The price went up on 1 November.'],
    ['other scripts stay', 'Preis geändert: 天気, طقس', 'Preis geändert: 天気, طقس'],
    ['lines become one paragraph', 'one\r\n\n\ttwo', 'one two'],
    ['a text that is turned around', 'abc\u202egnp.exe', 'abcgnp.exe'],
    ['isolates and zero-width characters', '\u2066pay\u200bpal\u2069\ufeff', 'paypal'],
    ['controls and half a pair', 'a\u0000b\u001b[2Jc\ud800', 'ab[2Jc'],
    ['tags that nobody sees', `a\u{e0041}b`, 'ab'],
    ['marks that pile up', `a${'\u0336'.repeat(40)}b`, `a${'\u0336'.repeat(4)}b`],
    ['markup is left to the template', '<script>alert(1)</script>', '<script>alert(1)</script>'],
    ['500 characters', 'x'.repeat(500), 'x'.repeat(500)],
    ['500 characters beyond the basic plane', '𝕏'.repeat(500), '𝕏'.repeat(500)],
    ['501 characters', 'x'.repeat(501), null],
    ['a megabyte', 'x'.repeat(1_000_000), null],
    ['nothing', ' \n', null],
    ['nothing to read', '\u202e\u200b!?', null],
  ])('%s', (_, text, note) => {
    expect(replyNote(text)).toBe(note);
  });
});
