import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dnsResolver, type Resolution } from './resolve.ts';

/** A DNS server on loopback that knows a few names: enough of the protocol to be asked by the real resolver. */
const A = 1;
const AAAA = 28;
const NXDOMAIN = 3;
const SERVFAIL = 2;
let server: Socket;
let servers: string[];
const questions: string[] = [];

beforeAll(async () => {
  server = createSocket('udp4', (query, { port, address }) => {
    const { name, type, end } = readQuestion(query);
    questions.push(`${name} ${type}`);
    const answer = reply(name, type);
    if (answer !== null) server.send(encode(query.subarray(0, end), answer), port, address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  servers = [`127.0.0.1:${server.address().port}`];
});
afterAll(() => server.close());

interface Reply {
  readonly code: number;
  readonly type: number;
  readonly addresses: readonly (readonly number[])[];
}

function reply(name: string, type: number): Reply | null {
  const v6 = [0x26, 0x06, 0x47, ...Array.from({ length: 12 }, () => 0), 0x11];
  const none: Reply = { code: 0, type, addresses: [] };
  if (name === 'both.example')
    return {
      ...none,
      addresses:
        type === A
          ? [
              [8, 8, 8, 8],
              [8, 8, 4, 4],
            ]
          : [v6],
    };
  if (name === 'v6only.example') return type === A ? none : { ...none, addresses: [v6] };
  if (name === 'empty.example') return none;
  if (name === 'half.example')
    return type === A ? { ...none, addresses: [[8, 8, 8, 8]] } : { ...none, code: SERVFAIL };
  if (name === 'half-silent.example') return type === A ? { ...none, addresses: [[8, 8, 8, 8]] } : null;
  if (name === 'broken.example') return { ...none, code: SERVFAIL };
  return name === 'silent.example' ? null : { ...none, code: NXDOMAIN };
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function encode(question: Buffer, { code, type, addresses }: Reply): Buffer {
  const head = Buffer.from(question);
  head.writeUInt16BE(0x8180 | code, 2);
  head.writeUInt16BE(addresses.length, 6);
  head.fill(0, 8, 12);
  const records = addresses.map((bytes) => {
    const fixed = [0xc0, 0x0c, 0, type, 0, 1, 0, 0, 0, 60, 0, bytes.length];
    return Buffer.from([...fixed, ...bytes]);
  });
  return Buffer.concat([head, ...records]);
}

describe('asking DNS', () => {
  it.each<[string, string, Resolution]>([
    [
      'addresses of both families',
      'both.example',
      { kind: 'addresses', addresses: ['8.8.8.8', '8.8.4.4', '2606:4700::11'] },
    ],
    ['only the newer family', 'v6only.example', { kind: 'addresses', addresses: ['2606:4700::11'] }],
    ['one family, the other failed', 'half.example', { kind: 'addresses', addresses: ['8.8.8.8'] }],
    ['one family, the other silent', 'half-silent.example', { kind: 'addresses', addresses: ['8.8.8.8'] }],
    ['no such name', 'gone.example', { kind: 'not_found' }],
    ['a name without addresses', 'empty.example', { kind: 'not_found' }],
    ['a server that fails', 'broken.example', { kind: 'failed' }],
  ])('%s', async (_, name, expected) => {
    const resolve = dnsResolver(servers);
    expect(await resolve(name, new AbortController().signal)).toEqual(expected);
  });

  it('asks for both families once each', async () => {
    questions.length = 0;
    await dnsResolver(servers)('both.example', new AbortController().signal);
    expect(questions.toSorted()).toEqual([`both.example ${A}`, `both.example ${AAAA}`]);
  });

  it('can be told to stop', async () => {
    const controller = new AbortController();
    const asking = dnsResolver(servers)('silent.example', controller.signal);
    setTimeout(() => controller.abort(), 20);
    expect(await asking).toEqual({ kind: 'failed' });
  });
});
