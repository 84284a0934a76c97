import { describe, expect, it } from 'vitest';
import { blockRule, mayDial } from '../url/gate.ts';
import { parseTargetUrl } from '../url/target-url.ts';
import { localGate, publicGate } from './local-gate.ts';

function blocked(url: string, gate: ReturnType<typeof localGate>): boolean {
  const reading = parseTargetUrl(url);
  return reading.kind === 'invalid' || blockRule(reading.target, gate) !== null;
}

describe('where a lint may go', () => {
  it.each<[string, string, boolean, boolean]>([
    ['the public web', 'https://api.example.com/x', false, false],
    ['a public address', 'http://93.184.216.34/', false, false],
    ['loopback', 'http://127.0.0.1:3000/', true, false],
    ['loopback by name', 'http://localhost:3000/', true, false],
    ['loopback of IPv6', 'http://[::1]:3000/', true, false],
    ['a private address', 'http://192.168.1.7:3000/', true, false],
    ['a private address of IPv6', 'http://[fd12::1]:3000/', true, false],
    ['a name of a container', 'http://seller:3000/', true, false],
    ['a metadata server', 'http://169.254.169.254/', true, true],
    ['a metadata server by name', 'http://metadata.google.internal/', true, true],
    ['a metadata server by its short name', 'http://metadata/', true, true],
    ['a metadata server of IPv6', 'http://[fe80::1]/', true, true],
    ['a metadata server in the shared range', 'http://100.100.100.200/', true, true],
    ['the same as one number', 'http://1684301000/', true, true],
    ['the same in hexadecimal', 'http://0x64.0x64.0x64.0xc8/', true, true],
    ['the same mapped into IPv6', 'http://[::ffff:100.100.100.200]/', true, true],
    ['its neighbour', 'http://100.100.100.201/', true, false],
    ['a metadata server in a private range of IPv6', 'http://[fd00:ec2::254]/', true, true],
    ['the same in full', 'http://[FD00:0EC2:0:0:0:0:0:0254]/', true, true],
    ['credentials beside it', 'http://[fd00:ec2::23]/', true, true],
    ['another metadata server in a private range of IPv6', 'http://[fd20:ce::254]/', true, true],
    ['a metadata server by an older name', 'http://instance-data/', true, true],
    ['the same in full and capitals', 'http://INSTANCE-DATA.ec2.internal./', true, true],
    ['a name that only begins like it', 'http://instance-database:3000/', true, false],
    ['every address', 'http://0.0.0.0:3000/', true, true],
    ['multicast', 'http://224.0.0.1/', true, true],
    ['loopback mapped into IPv6', 'http://[::ffff:127.0.0.1]/', true, true],
    ['a database on this machine', 'http://127.0.0.1:5432/', true, true],
  ])('%s', (_, url, byDefault, withLocal) => {
    expect([blocked(url, publicGate()), blocked(url, localGate())]).toEqual([byDefault, withLocal]);
  });

  it('dials a name that leads to loopback only when it is opened', () => {
    expect([
      mayDial(['127.0.0.1'], 80, publicGate()),
      mayDial(['127.0.0.1', '::1'], 80, localGate()),
    ]).toEqual([false, true]);
    expect(mayDial(['127.0.0.1', '169.254.169.254'], 80, localGate())).toBe(false);
  });

  it.each([
    '100.100.100.200',
    '::ffff:100.100.100.200',
    '::ffff:6464:64c8',
    'fd00:ec2::254',
    'fd00:0ec2:0000::0254',
    'fd20:ce::254',
  ])('never dials a name that leads to the metadata server %s', (address) => {
    expect(mayDial([address], 80, localGate())).toBe(false);
  });
});
