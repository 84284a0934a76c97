import { expect, it } from 'vitest';
import { target } from '../../../tools/samples/listed.ts';
import { isLocalTarget } from './local-target.ts';

it.each<[string, boolean]>([
  ['http://127.0.0.1:4021/', true],
  ['http://[::1]/', true],
  ['http://192.168.1.7/', true],
  ['http://localhost:3000/', true],
  ['http://seller:3000/', true],
  ['http://seller.example.com/', false],
  ['http://seller.example.com:5432/', false],
  ['http://93.184.216.34/', false],
])('knows whether a target is local: %s', (url, isLocal) => {
  expect(isLocalTarget(target(url))).toBe(isLocal);
});
