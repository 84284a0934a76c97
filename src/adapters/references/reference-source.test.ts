import { describe, expect, it } from 'vitest';
import { type Certificate, certificate, type Script } from '../../../test/support/probing/fake-seller.ts';
import { aSeller, gateTo } from '../../../test/support/probing/gated-fetching.ts';
import { answering } from '../../../test/support/probing/probing.ts';
import { reference } from '../../core/known-answer/reference.ts';
import { createGatedFetch, type GatedFetchParts } from '../probe/gated-fetch.ts';
import { createReferenceSource } from './reference-source.ts';

const NOW = new Date('2026-11-15T12:00:00.789Z');
const SOURCE = 'https://source.example.net/rates?base=EUR';

interface Around {
  readonly source?: Script;
  readonly node?: Script;
  readonly cert?: Certificate;
  readonly gate?: Partial<GatedFetchParts>;
}

const silent: Script = () => undefined;

/** A free source and a node on loopback; the source is reached through the gate, the node is the operator's own. */
async function asking(data: object, { source = silent, node = silent, cert, gate = {} }: Around = {}) {
  const web = await aSeller(source, cert);
  const chain = await aSeller(node);
  const { parts, seen } = gateTo(web.port, { maxBytes: 1_000_000, ...gate });
  const references = createReferenceSource({
    ...parts,
    fetch: createGatedFetch(parts),
    rpcUrl: `http://127.0.0.1:${chain.port}/`,
    now: () => NOW,
  });
  const said = await references.ask(reference.parse(data));
  return { said, seen, toSource: web.requests, toNode: chain.requests };
}

const json = (body: unknown): Script => answering(200, [], JSON.stringify(body));

describe('a JSON document on the web', () => {
  const plain = { kind: 'http_json', url: SOURCE.replace('https', 'http'), path: '$.rates.USD' };

  it.each<[string, unknown, unknown]>([
    ['a number', { rates: { USD: 1.0834 } }, 1.0834],
    ['a text', { rates: { USD: '1.0834' } }, '1.0834'],
    ['a yes', { rates: { USD: true } }, true],
    ['nothing at the path', { rates: {} }, null],
    ['null', { rates: { USD: null } }, null],
    ['an object', { rates: { USD: {} } }, null],
    ['an empty text', { rates: { USD: '' } }, null],
    ['a text without end', { rates: { USD: 'x'.repeat(501) } }, null],
    ['a number beyond all numbers', { rates: { USD: 'INFINITE' } }, null],
  ])('is asked once, and %s is what it says', async (_, body, expected) => {
    const text = JSON.stringify(body).replace('"INFINITE"', '1e999');
    const { said, toSource } = await asking(plain, { source: answering(200, [], text) });
    expect(said).toBe(expected);
    expect(toSource.map((request) => request.split('\r\n')[0])).toEqual(['GET /rates?base=EUR HTTP/1.1']);
  });

  it('gives the first of several values', async () => {
    const { said } = await asking(
      { ...plain, path: '$..price' },
      { source: json([{ price: 1 }, { price: 2 }]) },
    );
    expect(said).toBe(1);
  });

  it.each<[string, Around]>([
    ['is missing', { source: answering(404, [], '{"rates":{"USD":1}}') }],
    ['is no JSON', { source: answering(200, [], '<html>1.08</html>') }],
    ['leads elsewhere', { source: answering(302, [['Location', 'http://127.0.0.1/']]) }],
    ['is larger than 256 kB', { source: json({ rates: { USD: 1 }, rest: 'x'.repeat(262_144) }) }],
    ['is behind a certificate of somebody else', { source: json({ rates: { USD: 1 } }), cert: 'other-host' }],
    ['hangs up', { source: (socket) => socket.destroy() }],
    ['keeps silent', { gate: { timeoutMs: 100 } }],
    [
      'has a private address',
      { gate: { resolve: async () => ({ kind: 'addresses', addresses: ['10.0.0.1'] }) } },
    ],
    ['has no address', { gate: { resolve: async () => ({ kind: 'not_found' }) } }],
  ])('says nothing when it %s', async (_, around) => {
    const url = around.cert === undefined ? plain.url : SOURCE;
    expect((await asking({ ...plain, url }, around)).said).toBeNull();
  });
});

const word = (hex: string) => `0x${hex.padStart(64, '0')}`;
const result = (hex: unknown): Script => json({ jsonrpc: '2.0', id: 1, result: hex });

describe('a contract on Base', () => {
  const call = {
    kind: 'eth_call',
    network: 'eip155:8453',
    to: '0x64c911996D3c6aC71f9b455B1E8E7266BcbD848F',
    data: '0x50d25bcd',
    returns: 'int256',
    decimals: 8,
  };

  it('is asked over the operator’s own node with eth_call at the newest block', async () => {
    const { said, toNode, seen } = await asking(call, { node: result(word('8bb2c97000')) });
    expect(said).toBe('6000.00000000');
    expect(seen.dialled).toEqual([]);
    expect(toNode).toHaveLength(1);
    expect(JSON.parse(toNode[0]?.split('\r\n\r\n')[1] ?? '')).toEqual({
      jsonrpc: '2.0',
      id: 1,
      method: 'eth_call',
      params: [{ to: '0x64c911996D3c6aC71f9b455B1E8E7266BcbD848F', data: '0x50d25bcd' }, 'latest'],
    });
  });

  it.each<[string, Script]>([
    ['reverts', json({ jsonrpc: '2.0', id: 1, error: { code: 3, message: 'execution reverted' } })],
    ['is not there', result('0x')],
    ['returns something else', result(`${word('1')}${'0'.repeat(64)}`)],
    ['is behind a node that is broken', answering(500, [], JSON.stringify({ result: word('1') }))],
    ['is behind a node without JSON', answering(200, [], 'busy')],
    ['is behind a node that answers a list', json([{ result: word('1') }])],
    ['is behind a node that gives a number', result(1)],
    ['is behind a node that hangs up', (socket) => socket.destroy()],
    ['is behind a node that keeps silent', silent],
    ['is behind a node that sends without end', json({ result: word('1'), rest: 'x'.repeat(65_536) })],
    ['is behind a node that leads elsewhere', answering(307, [['Location', 'http://127.0.0.1:1/']])],
  ])('says nothing when it %s', async (_, node) => {
    expect((await asking(call, { node, gate: node === silent ? { timeoutMs: 500 } : {} })).said).toBeNull();
  });
});

describe('our clock', () => {
  it.each<[string, string | number]>([
    ['unix_seconds', 1_794_744_000],
    ['unix_milliseconds', 1_794_744_000_789],
    ['iso', '2026-11-15T12:00:00Z'],
    ['iso_date', '2026-11-15'],
  ])('says %s', async (as, expected) => {
    const { said, toSource, toNode } = await asking({ kind: 'clock', as });
    expect(said).toBe(expected);
    expect([toSource, toNode]).toEqual([[], []]);
  });
});

describe('our own TLS handshake', () => {
  const secure = { cert: 'seller', gate: { authorities: [certificate('ca')] } } as const;
  const tls = { kind: 'tls', host: 'seller.example.net', field: 'valid_to' };

  it.each<[string, string | number]>([
    ['valid_from', '2020-01-01T00:00:00Z'],
    ['valid_to', '2120-01-01T00:00:00Z'],
    ['days_left', 34_013],
    ['serial_number', '01'],
    ['issuer', 'Assay test authority'],
  ])('says %s, and nothing is sent', async (field, expected) => {
    const { said, seen, toSource } = await asking({ ...tls, field }, secure);
    expect(said).toBe(expected);
    expect(toSource).toEqual([]);
    expect(seen.dialled).toHaveLength(1);
    await expect.poll(() => seen.closed).toBe(1);
  });

  it('says the fingerprint as 32 bytes', async () => {
    const { said } = await asking({ ...tls, field: 'fingerprint256' }, secure);
    expect(said).toMatch(/^(?:[0-9A-F]{2}:){31}[0-9A-F]{2}$/);
  });

  it.each<[string, object, Around]>([
    ['the certificate is of somebody else', tls, { ...secure, cert: 'other-host' }],
    ['the certificate has run out', tls, { ...secure, cert: 'expired' }],
    ['nobody vouches for the certificate', tls, { ...secure, cert: 'self-signed' }],
    ['the handshake never ends', tls, { gate: { ...secure.gate, timeoutMs: 100 } }],
    [
      'nobody answers the dial',
      tls,
      {
        ...secure,
        gate: {
          ...secure.gate,
          dial: async () => {
            throw new Error('connect ECONNREFUSED');
          },
        },
      },
    ],
  ])('says nothing when %s', async (_, data, around) => {
    expect((await asking(data, around)).said).toBeNull();
  });

  it.each<[string, object, Partial<GatedFetchParts>]>([
    ['the host is ourselves', { ...tls, host: 'assay.example.org' }, {}],
    ['the host is private', { ...tls, host: '10.0.0.1' }, {}],
    ['the port belongs to another trade', { ...tls, port: 22 }, {}],
    [
      'the name leads to a private address',
      tls,
      { resolve: async () => ({ kind: 'addresses', addresses: ['::1'] }) },
    ],
  ])('is not even tried when %s', async (_, data, gate) => {
    const { said, seen } = await asking(data, { cert: 'seller', gate: { ...secure.gate, ...gate } });
    expect([said, seen.dialled]).toEqual([null, []]);
  });
});
