import fs, { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { keepSeed } from '../../adapters/log/key-file.ts';
import { keepSecret } from './keep-secret.ts';

describe('the generated secret', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'assay-secret-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is made once, for its owner alone, and found again', () => {
    const place = join(folder, 'new');
    const secret = keepSecret(place);
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    expect(keepSecret(place)).toBe(secret);
    expect(readFileSync(join(place, 'secret'), 'utf8')).toBe(secret);
    expect(statSync(join(place, 'secret')).mode & 0o777).toBe(0o600);
    expect(readdirSync(place)).toEqual(['secret']);
  });

  it.each([
    ['the secret', () => keepSecret(folder)],
    ['the key of a witness', () => keepSeed(join(folder, 'key'))],
  ])('%s survives a power cut: its text is synced, and then its folder', (_, keep) => {
    const real = fs.fsyncSync;
    const synced: string[] = [];
    const spy = vi.spyOn(fs, 'fsyncSync').mockImplementation((handle) => {
      const kind = fs.fstatSync(handle).isDirectory() ? 'folder' : 'file';
      synced.push(`${kind}, beside ${readdirSync(folder).length}`);
      real(handle);
    });
    syncBuiltinESMExports();
    try {
      keep();
    } finally {
      spy.mockRestore();
      syncBuiltinESMExports();
    }
    expect(synced).toEqual(['file, beside 1', 'folder, beside 1']);
  });

  it.each([
    ['too short', 'abc', /^the secret in .* is too short; remove the file to have a new one made$/],
    ['empty', '', /is too short/],
  ])('that is %s ends the start', (_, content, line) => {
    writeFileSync(join(folder, 'secret'), content);
    expect(() => keepSecret(folder)).toThrow(line);
  });

  it('that cannot be kept ends the start', () => {
    writeFileSync(join(folder, 'file'), '');
    expect(() => keepSecret(join(folder, 'file'))).toThrow(/^cannot keep a secret in /);
  });
});
