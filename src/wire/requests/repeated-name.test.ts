import { describe, expect, it } from 'vitest';
import { repeatedName } from './repeated-name.ts';

describe('a name that an object has twice', () => {
  it.each<[why: string, json: string, name: string | null]>([
    ['none', '{"a":1,"b":2}', null],
    ['two of one object', '{"a":1,"b":2,"a":1}', 'a'],
    ['blanks before the colon', '{"a" : 1, "a"\t:2}', 'a'],
    ['another spelling of the same name', '{"url":1,"\\u0075rl":2}', 'url'],
    ['inside a list', '[{"a":1},{"a":1,"a":2}]', 'a'],
    ['after an object has ended', '{"a":{"b":1},"a":2}', 'a'],
    ['the same in objects beside each other', '{"a":{"c":1},"b":{"c":1}}', null],
    ['the same in objects within each other', '{"a":{"a":{"a":1}}}', null],
    ['a value with the text of a name', '{"a":"b","b":"a"}', null],
    ['a value that looks like members', '{"a":"{\\"a\\":1,\\"a\\":2}"}', null],
    ['a value that ends in a backslash', '{"a":"\\\\","b":1}', null],
    ['names of the prototype', '{"__proto__":1,"constructor":2}', null],
    ['no object', '"a"', null],
  ])('%s', (_, json, name) => {
    expect(() => JSON.parse(json)).not.toThrow();
    expect(repeatedName(json)).toBe(name);
  });

  it.each<[why: string, json: string, name: string | null]>([
    ['a member that is read', '{"url":1,"url":2}', 'url'],
    ['another spelling of it', '{"url":1,"u\\u0072l":2}', 'url'],
    ['a member that is not read', '{"note":1,"note":2}', null],
    ['inside a member that is read', '{"input":{"list":[{"a":1,"a":2}]}}', 'a'],
    ['inside a member that is not read', '{"note":{"a":1,"a":2}}', null],
    ['deep inside a member that is not read', '{"note":[{"b":{"url":1,"url":2}}]}', null],
    ['a member that is read, inside one that is not', '{"note":{"url":1},"url":2}', null],
    ['after a member that is not read', '{"url":1,"note":{"a":1,"a":2},"url":2}', 'url'],
    ['inside the second of two members that are not read', '{"note":1,"note":{"a":1,"a":2}}', null],
  ])('only in the members that are read: %s', (_, json, name) => {
    expect(() => JSON.parse(json)).not.toThrow();
    expect(repeatedName(json, new Set(['url', 'input']))).toBe(name);
  });

  it('takes the time of the length, whatever is in the text', () => {
    const long = `["${' \\\\'.repeat(100_000)}"${' '.repeat(100_000)}]`;
    expect(repeatedName(long)).toBe(null);
    expect(repeatedName(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`)).toBe(null);
  });
});
