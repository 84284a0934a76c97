import { describe, expect, it } from 'vitest';
import { guardKeys, scanJson } from './scan-json.ts';

const KEYS = guardKeys(['payTo', 'amount']);

describe('a scan of JSON text', () => {
  it.each<[string, string, string]>([
    ['keys once each', '{"payTo":"a","amount":"1"}', 'clean'],
    ['a money key twice', '{"payTo":"a","payTo":"b"}', 'duplicate_key'],
    ['twice with blanks before the colon', '{"payTo" \n\t: 1, "payTo"\r:2}', 'duplicate_key'],
    ['a letter of a key as an escape', '{"pay\\u0054o":2}', 'disguised_key'],
    ['a key wholly in escapes', '{"\\u0061\\u006D":2}', 'disguised_key'],
    ...['0030', '0039', '0041', '004f', '005a', '0061', '006F', '0070', '007A'].map(
      (code): [string, string, string] => [
        `the escape ${code} in a key`,
        `{"a\\u${code}":1}`,
        'disguised_key',
      ],
    ),
    ['a foreign letter of a key as an escape', '{"caf\\u00e9":1}', 'clean'],
    ['a plain letter of a value as an escape', '{"a":"\\u0061"}', 'clean'],
    ['an escape in a value before a clean key', '{"a":"\\u0061","payTo":1}', 'clean'],
    ['twice in a nested object', '{"a":[{"payTo":1,"x":{},"payTo":2}]}', 'duplicate_key'],
    ['once in each of two objects', '[{"payTo":1},{"payTo":2}]', 'clean'],
    ['once here and once inside', '{"payTo":1,"extra":{"payTo":2}}', 'clean'],
    ['another key twice', '{"name":1,"name":2}', 'clean'],
    ['as a value, not as a key', '{"a":"payTo","b":"payTo"}', 'clean'],
    ['inside a string', '{"a":"{\\"payTo\\":1,\\"payTo\\":2}"}', 'clean'],
    ['after a string that ends in a backslash', '{"a":"\\\\","payTo":1,"payTo":2}', 'duplicate_key'],
    ['brackets inside a string', `{"a":"${'['.repeat(100)}"}`, 'clean'],
    ['32 levels', '['.repeat(32) + ']'.repeat(32), 'clean'],
    ['33 levels', '['.repeat(33) + ']'.repeat(33), 'too_deep'],
    ['many levels one after another', '[{}],'.repeat(100), 'clean'],
    ['an open string', '{"payTo', 'clean'],
    ['a bad escape in a key', '{"pay\\x":1}', 'clean'],
    ['closing brackets only', ']]]"payTo":1', 'clean'],
    ['two keys that begin like a guarded one', '{"paXto":1,"paXto":2,"payTo":3}', 'clean'],
    ['a guarded key twice behind an escape', '{"a":"\\n","payTo":1,"payTo":2}', 'duplicate_key'],
    [
      'a guarded key twice behind an escaped quote',
      '{"a":"\\n","b":"\\"","payTo":1,"payTo":2}',
      'duplicate_key',
    ],
    ['a guarded key twice behind an escaped key', '{"\\n":"","payTo":1,"payTo":2}', 'duplicate_key'],
    ['the same two keys in turn', '{"payTo":1,"amount":2,"amount":3}', 'duplicate_key'],
    [
      'as long as a guarded key and 32 letters',
      `{"payTo${'o'.repeat(32)}":1,"payTo${'o'.repeat(32)}":2}`,
      'clean',
    ],
    ['a key of 32 letters', `{"${'a'.repeat(32)}":1}`, 'clean'],
    ['nothing', '', 'clean'],
  ])('%s', (_, text, result) => {
    expect(scanJson(text, KEYS)).toBe(result);
  });
});
