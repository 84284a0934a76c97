import { describe, expect, it } from 'vitest';
import { isOptOut, NO_OPT_OUTS, optOutsOf } from './opt-outs.ts';

describe('who has opted out (G77)', () => {
  const optOuts = optOutsOf([
    'quiet.example',
    '1.2.3.4',
    '5.6.0.0/16',
    '2606:4700:10::/48',
    '2606:4700:99::1',
  ]);

  it.each<[string, boolean]>([
    ['quiet.example', true],
    ['sub.quiet.example', false],
    ['loud.example', false],
    ['1.2.3.4', true],
    ['5.6.7.8', true],
    ['2606:4700:10::7', true],
  ])('the host %s: %s', (host, isOut) => {
    expect(optOuts.hasHost(host)).toBe(isOut);
  });

  it.each<[string, boolean]>([
    ['1.2.3.4', true],
    ['::ffff:1.2.3.4', true],
    ['1.2.3.5', false],
    ['5.6.255.255', true],
    ['5.7.0.0', false],
    ['2606:4700:10:ffff::1', true],
    ['2606:4700:11::1', false],
    ['2606:4700:99:0::1', true],
    ['not an address', false],
  ])('the address %s: %s', (address, isOut) => {
    expect(optOuts.hasAddress(address)).toBe(isOut);
  });

  it('nobody by default', () => {
    expect([NO_OPT_OUTS.hasHost('a.example'), NO_OPT_OUTS.hasAddress('1.2.3.4')]).toEqual([false, false]);
  });

  it.each<[string, boolean]>([
    ['a.example', true],
    ['xn--bcher-kva.example', true],
    ['1.2.3.4', true],
    ['1.2.3.0/24', true],
    ['1.2.3.4/32', true],
    ['1.2.3.0/0024', false],
    ['0.0.0.0/0', true],
    ['2606:4700:10::/48', true],
    ['2606:4700::1', true],
    ['2606:4700::1/128', true],
    ['A.example', false],
    ['a.example:443', false],
    ['https://a.example/', false],
    ['a.example/x', false],
    ['1.2.3.0/33', false],
    ['1.2.3.0/', false],
    ['1.2.3.0/24/1', false],
    ['1.2.3.0/-1', false],
    ['2606:4700::/129', false],
    ['0x7f.1', false],
    ['a..example', false],
    ['', false],
  ])('the entry %s is one: %s', (entry, isOne) => {
    expect(isOptOut(entry)).toBe(isOne);
  });
});
