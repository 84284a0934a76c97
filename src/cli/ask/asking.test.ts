import { describe, expect, it } from 'vitest';
import { bodyText } from './asking.ts';

describe('the body of an answer on a terminal', () => {
  it.each<[string, string, string]>([
    ['JSON stays as it is', '{\n\t"a": "\\u001b"\n}\n', '{\n\t"a": "\\u001b"\n}\n'],
    ['a line is ended', '{}', '{}\n'],
    ['an escape sequence and a bell', '\u001b]0;x\u0007', '\\u001b]0;x\\u0007\n'],
    [
      'the first and the last control characters',
      '\u0000\u0008\u000b\u001f',
      '\\u0000\\u0008\\u000b\\u001f\n',
    ],
    ['control characters of eight bits', '\u007f\u009b', '\\u007f\\u009b\n'],
    ['format characters, also beyond 16 bits', '\u202e\u{e0041}', '\\u202e\\udb40\\udc41\n'],
    ['a carriage return would overwrite the line', 'a\rb\r\n', 'ab\n'],
  ])('%s', (_, body, shown) => {
    expect(bodyText(body, true)).toBe(shown);
  });

  it('is unchanged in a pipe: a program reads it', () => {
    expect(bodyText('\u001b[2J\r\n', false)).toBe('\u001b[2J\r\n');
  });
});
