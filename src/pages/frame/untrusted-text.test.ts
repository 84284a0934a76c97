import { describe, expect, it } from 'vitest';
import { middleCut, untrustedText } from './untrusted-text.ts';

describe('text of strangers', () => {
  it.each<[string, string, string]>([
    ['plain text stays', 'https://a.example/x?y=1', 'https://a.example/x?y=1'],
    ['other scripts stay', 'Wetter für Zürich, 天気, طقس', 'Wetter für Zürich, 天気, طقس'],
    ['a text that is turned around', 'abc\u202egnp.exe', 'abc\ufffdgnp.exe'],
    ['isolates', '\u2066x\u2069', '\ufffdx\ufffd'],
    ['a zero-width space', 'pay\u200bpal', 'pay\ufffdpal'],
    ['a line and a NUL', 'a\nb\0c', 'a\ufffdb\ufffdc'],
    ['half a pair', 'a\ud800b', 'a\ufffdb'],
    ['tags that nobody sees', `a\u{e0041}b`, 'a\ufffdb'],
    ['markup is left to the template', '<b>&', '<b>&'],
  ])('%s', (_, text, shown) => {
    expect(untrustedText(text)).toBe(shown);
  });

  it('is cut in its middle', () => {
    const shown = untrustedText(`https://a.example/${'x'.repeat(2_000)}?end`, 40);
    expect(shown).toBe(`https://a.example/${'x'.repeat(8)}…${'x'.repeat(13)}`);
    expect([...shown]).toHaveLength(40);
  });

  it('is never cut through a character', () => {
    expect(middleCut('𝕏'.repeat(10), 4)).toBe('𝕏𝕏…𝕏');
  });
});
