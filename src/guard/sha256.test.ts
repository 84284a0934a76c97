import { sha256 as digest } from '@noble/hashes/sha2';
import { bytesToHex } from '@noble/hashes/utils';
import { expect, it } from 'vitest';
import { runningSha256, sha256 } from './sha256.ts';

/** Browsers have only the other one. */
it.each<[string, string, string]>([
  ['nothing', '', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  ['letters', 'abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
  ['other letters', 'ä€', '2fb8a79d88df89f8370b312db3ff68fd6aa857549cc41a685b4022e99e5fc5a2'],
])('hashes %s alike, at once, in pieces and without Node', (_, text, hex) => {
  const bytes = new TextEncoder().encode(text);
  const running = runningSha256();
  running.add(bytes.subarray(0, 1));
  running.add(bytes.subarray(1));
  expect([sha256(text), sha256(bytes), running.end(), bytesToHex(digest(text))]).toEqual([
    hex,
    hex,
    hex,
    hex,
  ]);
  expect(running.bytes).toBe(bytes.byteLength);
});
