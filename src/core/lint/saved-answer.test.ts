import { describe, expect, it } from 'vitest';
import { base64, ENTRY, ENTRY_V1 } from '../../../tools/samples/challenge.ts';
import { readSavedAnswer } from './saved-answer.ts';

const read = (text: string) => readSavedAnswer(new TextEncoder().encode(text));
const V2 = JSON.stringify({ x402Version: 2, accepts: [ENTRY] });
const V1 = JSON.stringify({ x402Version: 1, accepts: [ENTRY_V1] });

/** Status, fields and body of what was saved. */
function saved(text: string) {
  const reading = read(text);
  if (reading.kind === 'invalid') throw new Error(reading.problem);
  const { status, headers, body } = reading.answer;
  return [status, headers, new TextDecoder().decode(body)];
}

describe('a saved 402', () => {
  it.each<[string, string, unknown]>([
    [
      'a response',
      `HTTP/1.1 402 Payment Required\r\nPAYMENT-REQUIRED: abc\r\nX-A:b:c\r\n\r\n{"a":1}`,
      [
        402,
        [
          ['payment-required', 'abc'],
          ['x-a', 'b:c'],
        ],
        '{"a":1}',
      ],
    ],
    ['one of HTTP/2, without words', 'HTTP/2 402 \r\na: b\r\n\r\nx', [402, [['a', 'b']], 'x']],
    ['one with line feeds only', 'HTTP/1.1 402\na: b\n\nx\n\ny', [402, [['a', 'b']], 'x\n\ny']],
    ['one without a body', 'HTTP/1.1 402 Payment Required\r\na: b\r\n', [402, [['a', 'b'], ...[]], '']],
    ['one without fields', 'HTTP/1.1 200 OK', [200, [], '']],
    [
      'the last of several, behind a proxy and an interim answer',
      'HTTP/1.1 200 Connection established\r\n\r\nHTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 402 x\r\na: b\r\n\r\nbody',
      [402, [['a', 'b']], 'body'],
    ],
    [
      'repeated fields, apart',
      'HTTP/1.1 402\r\na: 1\r\nA: 2\r\n\r\n',
      [
        402,
        [
          ['a', '1'],
          ['a', '2'],
        ],
        '',
      ],
    ],
    ['a body beyond ASCII', 'HTTP/1.1 402\r\n\r\nZürich', [402, [], 'Zürich']],
    ['lines that are no fields', 'HTTP/1.1 402\r\nnonsense\r\n: x\r\na: b\r\n\r\n', [402, [['a', 'b']], '']],
    ['the document of version 2', V2, [402, [['payment-required', base64(V2)]], '']],
    ['the document of version 1', V1, [402, [], V1]],
    ['a document with a byte order mark', `\ufeff${V1}`, [402, [], V1]],
  ])('is read: %s', (_, text, expected) => {
    expect(saved(text)).toEqual(expected);
  });

  it.each<[string, string, RegExp]>([
    ['nothing', '', /^is neither/],
    ['text', 'pay me', /^is neither/],
    ['a list', '[]', /^is neither/],
    ['half a document', '{"x402Version":2,', /^is neither/],
    ['nothing but brackets', '['.repeat(200_000), /^is neither/],
    ['a status line without a status', 'HTTP/1.1 OK\r\n\r\n', /no status line/],
    ['a status that is none', 'HTTP/1.1 999 x\r\n\r\n', /no status line/],
    ['a thousand fields', `HTTP/1.1 402\r\n${'a: b\r\n'.repeat(1_000)}\r\n`, /too many/],
  ])('is not: %s', (_, text, problem) => {
    expect(read(text)).toMatchObject({ kind: 'invalid', problem: expect.stringMatching(problem) });
  });
});
