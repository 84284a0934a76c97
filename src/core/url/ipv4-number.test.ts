import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { expect, it } from 'vitest';
import { ipv4Number } from './ipv4-number.ts';

it.each<[string, number | null]>([
  ['0.0.0.0', 0],
  ['0.0.0.1', 1],
  ['1.2.3.4', 16_909_060],
  ['127.0.0.1', 2_130_706_433],
  ['192.0.2.10', 3_221_225_994],
  ['255.255.255.255', 4_294_967_295],
  ['', null],
  ['1', null],
  ['1.2.3', null],
  ['1.2.3.', null],
  ['.1.2.3', null],
  ['1..2.3', null],
  ['1.2.3.4.5', null],
  ['1.2.3.4.', null],
  ['256.0.0.1', null],
  ['1.2.3.256', null],
  ['01.2.3.4', null],
  ['1.2.3.00', null],
  ['1.2.3.04', null],
  ['0x1.2.3.4', null],
  ['1.2.3.4 ', null],
  [' 1.2.3.4', null],
  ['1.2.3.4\n', null],
  ['-1.2.3.4', null],
  ['1.2.3.+4', null],
  ['1.2.3.٤', null],
  ['1.2.3.4/8', null],
  ['1.2.3.4:80', null],
  ['::1', null],
  ['1111.1.1.1', null],
  ['9999999999.1.1.1', null],
])('%j is %j', (text, number) => {
  expect(ipv4Number(text)).toBe(number);
});

it('reads what the library reads, and only that', () => {
  const octet = fc.oneof(
    fc.integer({ min: 0, max: 300 }).map(String),
    fc.constantFrom('', '00', '01', '010', '256', 'a', ' 1'),
  );
  fc.assert(
    fc.property(fc.array(octet, { minLength: 2, maxLength: 6 }), (octets) => {
      const text = octets.join('.');
      const known = ipaddr.IPv4.isValidFourPartDecimal(text) && ipaddr.IPv4.parse(text).toString() === text;
      const bytes = known ? ipaddr.IPv4.parse(text).toByteArray() : null;
      expect(ipv4Number(text)).toBe(bytes?.reduce((number, byte) => number * 256 + byte, 0) ?? null);
    }),
    { numRuns: 2_000 },
  );
});
