import { describe, expect, it } from 'vitest';
import { readBase64url } from './base64url.ts';
import { fileNames, recordsName, tokenLine } from './proof-token.ts';

const KEY = `${'A'.repeat(42)}E`;
const TOKEN = `assay-verify=ed25519:${KEY}`;

describe('the token of a key', () => {
  it('is one line', () => {
    expect(tokenLine(KEY)).toBe(TOKEN);
  });

  it.each<[string, string, boolean]>([
    ['alone', TOKEN, true],
    ['among others, with line ends of Windows', `# keys\r\nassay-verify=ed25519:other\r\n${TOKEN}\r\n`, true],
    ['with spaces around it', `  ${TOKEN}\t`, true],
    ['inside a longer line', `x ${TOKEN}`, false],
    ['with more behind it', `${TOKEN}A`, false],
    ['in another case', TOKEN.toUpperCase(), false],
    ['of another key', tokenLine('B'.repeat(43)), false],
    ['in an empty file', '', false],
  ])('in a file: %s', (_, text, found) => {
    expect(fileNames(text, KEY)).toBe(found);
  });

  it.each<[string, string[], boolean]>([
    ['alone', [TOKEN], true],
    ['as the last of 20', [...Array.from({ length: 19 }, () => 'v=spf1 -all'), TOKEN], true],
    ['behind a flood of records', [...Array.from({ length: 20 }, () => 'v=spf1 -all'), TOKEN], false],
    ['in a record of 600 characters', [`${TOKEN}${' '.repeat(600)}`], false],
    ['nowhere', [], false],
  ])('in TXT records: %s', (_, records, found) => {
    expect(recordsName(records, KEY)).toBe(found);
  });
});

describe('canonical base64url', () => {
  it.each<[string, string, number, boolean]>([
    ['three bytes', 'AAAA', 3, true],
    ['another length', 'AAAA', 2, false],
    ['padding', 'AA==', 1, false],
    ['no padding', 'AA', 1, true],
    ['bits that no byte has', 'AB', 1, false],
    ['the other alphabet', '+/8', 2, false],
    ['a space', 'AA AA', 3, false],
    ['nothing', '', 1, false],
  ])('%s', (_, text, length, isRead) => {
    expect(readBase64url(text, length) !== null).toBe(isRead);
  });
});
