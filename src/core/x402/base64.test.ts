import { expect, it } from 'vitest';
import { decodeBase64Text, decodeUtf8, encodeBase64Text } from './base64.ts';

it.each<[string, string, string | null]>([
  ['the standard alphabet', 'eyI+Pj8/Pj4iOjF9', '{">>??>>":1}'],
  ['the url-safe alphabet', 'eyI-Pj8_Pj4iOjF9', '{">>??>>":1}'],
  ['both alphabets at once', 'eyI+Pj8_Pj4iOjF9', null],
  ['with its pads', 'eyI+Pj8/IjoxfQ==', '{">>??":1}'],
  ['without them', 'eyI+Pj8/IjoxfQ', '{">>??":1}'],
  ['one pad missing', 'eyI+Pj8/IjoxfQ=', null],
  ['one pad too many', 'eyI+Pj8/IjoxfQ===', null],
  ['only pads', '==', null],
  ['pads in the middle', 'YQ==YQ==', null],
  ['a length that no text has', 'YWFhY', null],
  ['a blank', 'eyI+ Pj8/', null],
  ['a newline at the end', 'YQ==\n', null],
  ['nothing', '', null],
  ['bytes that are no UTF-8', '//8=', '\ufffd\ufffd'],
])('base64: %s', (_, text, decoded) => {
  expect(decodeBase64Text(text)).toBe(decoded);
});

it.each(['{"price":1}', '{"price":"1 €"}'])('encodes %s', (text) => {
  expect(encodeBase64Text(text)).toBe(Buffer.from(text).toString('base64'));
});

it('drops a byte order mark and replaces invalid bytes', () => {
  expect(decodeUtf8(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61, 0xff))).toBe('a\ufffd');
});
