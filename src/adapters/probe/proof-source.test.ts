import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { holdTimers } from '../../../test/support/probing/held-timers.ts';
import { probingHarness } from '../../../test/support/probing/probing.ts';
import { dnsTextResolver } from './proof-source.ts';

const TXT = 16;
const TOKEN = `assay-verify=ed25519:${'A'.repeat(43)}`;
/** Each record in the pieces that DNS splits it into. */
const RECORDS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  '_assay.one.example': [['v=spf1 -all'], [TOKEN]],
  '_assay.split.example': [[TOKEN.slice(0, 30), TOKEN.slice(30)]],
  '_assay.empty.example': [],
};

/** A DNS server on loopback that answers TXT questions, and is silent about one name. */
let server: Socket;
let servers: string[];

beforeAll(async () => {
  server = createSocket('udp4', (query, { port, address }) => {
    const { name, end } = questionOf(query);
    if (name !== '_assay.silent.example') server.send(answerTo(query.subarray(0, end), name), port, address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  servers = [`127.0.0.1:${server.address().port}`];
});
afterAll(() => server.close());

function questionOf(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 5 };
}

function answerTo(question: Buffer, name: string): Buffer {
  const records = RECORDS[name];
  const head = Buffer.from(question);
  head.writeUInt16BE(records === undefined ? 0x8183 : 0x8180, 2);
  head.writeUInt16BE(records?.length ?? 0, 6);
  // No additional records: the question may have announced one of its own.
  head.writeUInt32BE(0, 8);
  const bodies = (records ?? []).map((pieces) => {
    const data = Buffer.concat(
      pieces.map((piece) => Buffer.from(`${String.fromCharCode(piece.length)}${piece}`)),
    );
    const fixed = Buffer.alloc(12);
    fixed.writeUInt16BE(0xc00c, 0);
    fixed.writeUInt16BE(TXT, 2);
    fixed.writeUInt16BE(1, 4);
    fixed.writeUInt16BE(data.length, 10);
    return Buffer.concat([fixed, data]);
  });
  return Buffer.concat([head, ...bodies]);
}

describe('the TXT records of a name', () => {
  const { proofs } = probingHarness(1, {
    timeoutMs: 60_000,
    resolveText: (name, signal) => dnsTextResolver(servers)(name, signal),
  });

  it.each<[string, string, string[]]>([
    ['each in its own text', '_assay.one.example', ['v=spf1 -all', TOKEN]],
    ['put together from their pieces', '_assay.split.example', [TOKEN]],
    ['none', '_assay.empty.example', []],
    ['of a name that does not exist', '_assay.nobody.example', []],
  ])('%s', async (_, name, records) => {
    expect(await proofs.records(name)).toEqual(records);
  });

  it('are given up at the deadline', async () => {
    const timers = holdTimers();
    const asked = proofs.records('_assay.silent.example');
    timers.runOut();
    expect(await asked).toEqual([]);
  });
});
