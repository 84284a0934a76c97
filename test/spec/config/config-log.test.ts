import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/main/config/config.ts';
import { shownConfig } from '../../../src/main/config/shown-config.ts';

const KEY = '0a'.repeat(32);

function transparencyOf(settings: Readonly<Record<string, string>>) {
  const reading = readConfig(settings);
  return reading.kind === 'config' ? reading.config.transparency : reading.problem;
}

describe('settings of the transparency log', () => {
  it.each<[Record<string, string>, object]>([
    [{}, { origin: 'localhost/log', isOriginSet: false, key: null, oldKey: null, policyFile: null }],
    [{ BASE_URL: 'https://assay.example.com' }, { origin: 'assay.example.com/log', isOriginSet: false }],
    [{ LOG_ORIGIN: 'other.example/log' }, { origin: 'other.example/log', isOriginSet: true }],
    [
      { LOG_KEY: KEY, LOG_KEY_OLD: KEY.toUpperCase() },
      { key: bytes(), oldKey: bytes() },
    ],
    [{ LOG_POLICY: 'witnesses' }, { policyFile: 'witnesses' }],
  ])('%j', (settings, expected) => {
    expect(transparencyOf(settings)).toMatchObject(expected);
  });

  it.each<[Record<string, string>, string]>([
    [{ LOG_ORIGIN: 'two words' }, 'LOG_ORIGIN must be a name such as assay.example.com/log'],
    [{ LOG_ORIGIN: 'a+b' }, 'LOG_ORIGIN must be a name such as assay.example.com/log'],
    [{ LOG_KEY: 'short' }, 'LOG_KEY must be 64 hexadecimal digits'],
    [{ LOG_KEY_OLD: `0x${KEY}` }, 'LOG_KEY_OLD must be 64 hexadecimal digits'],
  ])('%j is a mistake', (settings, problem) => {
    expect(transparencyOf(settings)).toBe(problem);
  });

  it('never shows a key', () => {
    const reading = readConfig({ LOG_KEY: KEY, LOG_KEY_OLD: KEY });
    if (reading.kind !== 'config') throw new Error(reading.problem);
    const shown = JSON.stringify(shownConfig(reading.config));
    expect(shown).toContain('"key":"set","oldKey":"set"');
  });
});

function bytes(): Uint8Array {
  return new Uint8Array(32).fill(10);
}
