import { describe, expect, it } from 'vitest';
import { holdsCredential, redactUrl } from './redact-url.ts';

const nested = (levels: number, inside: string) => `${'['.repeat(levels)}${inside}${']'.repeat(levels)}`;

/** Each of them is the value of a harmless name, and a part of a path. */
const WORDS: readonly [string, string][] = [
  ['a nested member', '{"a":[{"b":{"access_token":"x"}}]}'],
  ['a list of members', '[{"q":"x"},{"secret":"y"}]'],
  ['the deepest level that is read', nested(7, '{"p\\u0061ss":"x"}')],
  ['a quoted pair of broken JSON', '{"user":"joe","password":"hunter"'],
  ['single quotes', "{'password': 'hunter'}"],
  ['quotes that are escaped', '{\\"password\\":\\"hunter\\"}'],
  ['a name without quotes', '{password:"hunter"}'],
  ['JSON that is encoded twice', encodeURIComponent('{"password":"hunter"}')],
  ['a filter in JSON', '{"key":"status","value":"open"}'],
  ['a season', '{"where":{"session":"Summer"}}'],
  ['a list of words', '{"keys":["status","price"]}'],
  ['a list of coins', '{"tokens":["bitcoin","ether"]}'],
  ['the name of a scheme', '{"token_type":"bearer"}'],
  ['a film', 'film review secret: identity'],
  ['a heading of two words', 'jwt authentication: an overview'],
  ['a question', 'how do I reset my password: step by step'],
  ['a heading in capitals', 'JWT: overview'],
  ['the end of a sentence', 'what is a secret: explained.'],
  ['a password that is a word', 'my password: swordfish'],
  ['a sentence in JSON', '{"q":"film review secret: identity"}'],
];

const ORIGINS = ['listed', 'unlisted'] as const;
const shown = (href: string) => ORIGINS.map((origin) => redactUrl(href, origin));

describe('a word under the name of a credential is hidden, but others may be asked about the URL (G53)', () => {
  it.each(WORDS)('%s', (_, value) => {
    for (const [before, after] of [
      ['https://a.example/x?input=', '&n=1'],
      ['https://a.example/x?owner=', '&n=1'],
      ['https://a.example/x/', '/y'],
      ['https://a.example/wallets/', '/y'],
    ]) {
      const href = `${before}${encodeURIComponent(value)}${after}`;
      const hidden = `${before}REDACTED${after}`;
      expect([...shown(href), holdsCredential(href)]).toEqual([hidden, hidden, false]);
    }
  });
});
