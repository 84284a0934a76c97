import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { seededSigner } from '../../../test/support/log/seeded-signer.ts';
import { noteKeyText } from '../../core/log/note.ts';
import { logKeysOf } from '../build/log-keys.ts';
import { readConfig } from '../config/config.ts';
import { readVantages, serviceVantages, vantageClient } from './service-vantages.ts';

const KEY = noteKeyText(seededSigner('vantage.example/v1').key);
const LOG = { info: () => {}, warn: () => {} };
let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vantages-'));
  file = join(folder, 'vantages');
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (url: string) => writeFileSync(file, `vantage a ${KEY} ${url}\nquorum 1\n`);
const configOf = (settings: Record<string, string>) => {
  const reading = readConfig(settings);
  if (reading.kind === 'invalid') throw new Error(reading.problem);
  return reading.config;
};

describe('the file of VANTAGES', () => {
  it.each(['https://v.example/prefix', 'http://127.0.0.1:4405', 'http://[::1]:1/', 'http://localhost:4405'])(
    'names vantages with addresses such as %s',
    (url) => {
      write(url);
      expect(readVantages(file)).toMatchObject({ quorum: 1, vantages: [{ name: 'a', url }] });
      const config = configOf({ VANTAGES: file, VANTAGE_FROM_USD: '0.25' });
      const port = serviceVantages(config, { secret: 's', log: LOG });
      expect(port).toMatchObject({ needed: 1, fromPrice: 250_000n });
    },
  );

  it.each([
    'http://v.example',
    'http://127.0.0.1.v.example',
    'https://me@v.example',
    'ftp://v.example',
    'https://v.example?x',
  ])('is refused with the address %s, in one line', (url) => {
    write(url);
    expect(() => readVantages(file)).toThrow(
      `invalid setting: VANTAGES ${file}: vantage a needs an https address (http on this machine only), without a query`,
    );
  });

  it('is refused with a line that cannot be read, and when it is not there', () => {
    writeFileSync(file, 'vantage a\nquorum 1\n');
    expect(() => readVantages(file)).toThrow(`VANTAGES ${file}: line 1: A vantage has`);
    expect(() => readVantages(join(folder, 'none'))).toThrow('it cannot be read');
  });

  it('is not needed', () => {
    expect(serviceVantages(configOf({}), { secret: 's', log: LOG })).toBeUndefined();
  });
});

it('the key of a service at vantages depends on its secret and its name, and signs nothing else', () => {
  const config = configOf({ BASE_URL: 'https://assay.example.com' });
  const { key } = vantageClient(config, 'a secret');
  expect(noteKeyText(vantageClient(config, 'a secret').key)).toBe(noteKeyText(key));
  expect(key).toMatchObject({ name: 'assay.example.com/vantages', type: 1 });
  const others = [
    vantageClient(config, 'another secret').key,
    logKeysOf(config.transparency, 'a secret').promiseSignerOf({ tree: '1', origin: 'a/log' }).key,
    logKeysOf(config.transparency, 'a secret').signersOf({ tree: '1', origin: 'a/log' })[0]?.key,
  ];
  for (const other of others) {
    expect(Buffer.from(other?.publicKey ?? []).toString('hex')).not.toBe(
      Buffer.from(key.publicKey).toString('hex'),
    );
  }
});
