import { describe, expect, it } from 'vitest';
import { cellsOf, cutEnd, cutMiddle, plainText, shortAddress, wrap } from './plain-text.ts';

describe('text of a stranger on a terminal', () => {
  it.each<[why: string, text: string, shown: string]>([
    ['plain words stay', 'Weather for Zürich', 'Weather for Zürich'],
    ['a colour is not switched on', '\u001b[32mPAY\u001b[0m', '?[32mPAY?[0m'],
    ['a title is not set', '\u001b]0;owned\u0007x', '?]0;owned?x'],
    ['the one-byte form of escape', 'a\u009b2Jb', 'a?2Jb'],
    ['a line is not overwritten', 'skip\rpay ', 'skip pay'],
    ['one line stays one', 'a\nb\tc', 'a b c'],
    ['backspaces do not erase', 'skip\b\b\b\bpay', 'skip????pay'],
    ['text is not turned round', 'a\u202egnp.exe', 'a?gnp.exe'],
    ['isolates neither', '\u2066x\u2069', '?x?'],
    ['nothing hides between letters', 'pa\u200by', 'pa?y'],
    ['tags', 'a\u{e0041}b', 'a?b'],
    ['half of a pair', 'a\ud800b', 'a?b'],
    ['other line ends', 'a\u2028b\u0085c', 'a?b?c'],
    ['private use', 'a\ue000b', 'a?b'],
    ['a letter with its mark is one', 'e\u0301', 'é'],
    ['a tower of marks falls', `x${'\u0335'.repeat(50)}y`, 'xy'],
    ['odd blanks are blanks', 'a\u00a0\u3000b', 'a b'],
  ])('%s', (_, text, shown) => {
    expect(plainText(text)).toBe(shown);
  });

  it('is bounded', () => {
    expect(plainText('x'.repeat(1_000_000))).toHaveLength(4_096);
  });
});

describe('cells of a terminal', () => {
  it.each<[string, number]>([
    ['', 0],
    ['abc…', 4],
    ['é', 1],
    ['天気', 4],
    ['한국', 4],
    ['🌦x', 3],
  ])('%s takes %i', (text, cells) => {
    expect(cellsOf(text)).toBe(cells);
  });

  it.each<[why: string, text: string, cells: number, end: string, middle: string]>([
    ['what fits stays', 'abcdef', 6, 'abcdef', 'abcdef'],
    ['what does not is cut', 'abcdefghij', 6, 'abcde…', 'abc…ij'],
    ['a wide letter is not halved', '天気天気', 4, '天…', '天…'],
    ['little room', 'abc', 2, 'a…', 'a…'],
    ['one cell', 'abc', 1, '…', '…'],
    ['no room', 'abc', 0, '', ''],
  ])('%s', (_, text, cells, end, middle) => {
    expect([cutEnd(text, cells), cutMiddle(text, cells)]).toEqual([end, middle]);
  });

  it('an address keeps both ends', () => {
    expect(shortAddress('0x209693Bc6afc0C5328bA36FaF03C514EF312287C')).toBe('0x2096…12287C');
    expect(shortAddress('\u001b[2J')).toBe('?[2J');
  });

  it('a sentence is broken at blanks, a long word is cut', () => {
    expect(wrap('The live 402 asks more', 9)).toEqual(['The live', '402 asks', 'more']);
    expect(wrap('abcdefghij', 5)).toEqual(['abcd…']);
    expect(wrap('', 5)).toEqual(['']);
  });
});
