import { gunzipSync } from 'node:zlib';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditLog } from '../../src/core/log/audit.ts';
import { growTree } from '../../src/core/log/grow-tree.ts';
import { type Policy, parsePolicy } from '../../src/core/log/policy.ts';
import { hashLeaf } from '../../src/core/log/tree-hash.ts';
import { entriesTo } from '../support/log/test-log.ts';
import { startService, type TestService } from '../support/running/running-service.ts';

describe('the log over HTTP', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ door: 'socket' });
    await service.store.transparencyLog.add(entriesTo(600));
    await service.logKeeper.round();
  });
  afterAll(() => service.close());

  const file = async (path: string) => {
    const answer = await request(`${service.address}/log/${path}`);
    return { ...answer, bytes: new Uint8Array(await answer.body.arrayBuffer()) };
  };
  const fetchFile = async (path: string) => {
    const { statusCode, bytes } = await file(path);
    return statusCode === 200 ? bytes : null;
  };
  const policyOf = async (): Promise<Policy> => {
    const policy = parsePolicy((await service.ask('/log/policy')).text);
    if ('fault' in policy) throw new Error(policy.fault);
    return policy;
  };

  it('passes a whole audit by the policy that it publishes', async () => {
    const policy = await policyOf();
    expect(policy).toMatchObject({ quorum: 'none', logs: [{ url: 'https://assay.example.org/log' }] });
    const entries: string[] = [];
    const onEntry = (entry: Uint8Array) => {
      entries.push(Buffer.from(entry).toString());
    };
    const report = await auditLog({ fetchFile, policy, filesAtOnce: 4, sizeMax: 10_000, onEntry });
    expect(report).toMatchObject({ faults: [], head: { size: 600 } });
    expect(new Set(entries)).toEqual(new Set(entriesTo(600).map(({ entry }) => entry)));
  });

  it.each<[string, string, string]>([
    ['checkpoint', 'text/plain; charset=utf-8', 'public, max-age=2'],
    ['policy', 'text/plain; charset=utf-8', 'public, max-age=60'],
    ['tile/0/001', 'application/octet-stream', 'public, max-age=31536000, immutable'],
    ['tile/0/002.p/88', 'application/octet-stream', 'public, max-age=31536000, immutable'],
    // A partial tile of a smaller tree stays there.
    ['tile/0/000.p/7', 'application/octet-stream', 'public, max-age=31536000, immutable'],
    ['tile/entries/002.p/3', 'application/octet-stream', 'public, max-age=31536000, immutable'],
  ])('serves %s as %s for %s', async (path, type, cache) => {
    const { statusCode, headers } = await file(path);
    expect([statusCode, headers['content-type'], headers['cache-control']]).toEqual([200, type, cache]);
  });

  it.each(['tile/entries/000', 'statements/0', 'rules/6.mjs'])(
    'packs %s for those who can read it',
    async (path) => {
      const plain = await file(path);
      const packed = await request(`${service.address}/log/${path}`, {
        headers: { 'accept-encoding': 'br, gzip' },
      });
      const bytes = Buffer.from(await packed.body.arrayBuffer());
      expect([plain.headers['content-encoding'], packed.headers['content-encoding']]).toEqual([
        undefined,
        'gzip',
      ]);
      expect([plain.headers['vary'], packed.headers['vary']]).toEqual(['Accept-Encoding', 'Accept-Encoding']);
      expect(packed.headers['content-length']).toBe(String(bytes.length));
      expect(bytes.length).toBeLessThan(0.7 * plain.bytes.length);
      expect(Buffer.compare(gunzipSync(bytes), plain.bytes)).toBe(0);
      const etag = packed.headers['etag'] ?? '';
      expect(etag).not.toBe(plain.headers['etag']);
      const again = { 'accept-encoding': 'gzip', 'if-none-match': String(etag) };
      const { statusCode, body } = await request(`${service.address}/log/${path}`, { headers: again });
      await body.dump();
      expect(statusCode).toBe(304);
    },
  );

  it.each([
    ['tile/0/000', 'gzip'],
    ['tile/entries/000', 'gzip;q=0'],
    ['tile/entries/000', 'br, *;q=0'],
    ['tile/entries/000.p/1', 'gzip'],
  ])('leaves %s as it is for %s', async (path, coding) => {
    const { headers, body } = await request(`${service.address}/log/${path}`, {
      headers: { 'accept-encoding': coding },
    });
    await body.dump();
    expect(headers['content-encoding']).toBeUndefined();
  });

  it.each([
    'tile/0/002',
    'tile/0/002.p/89',
    'tile/0/003.p/1',
    'tile/1/000.p/3',
    'tile/2/000.p/1',
    'tile/entries/002',
    'tile/entries/002.p/89',
    'tile/0/2',
    'tile/0/000.p/0',
    'tile/0/000.p/256',
    'tile/00/000',
    'tile/0/000.p/07',
    'tile/64/000',
    '1/checkpoint',
    '2/checkpoint',
    '2/tile/0/000',
    'run/x/checkpoint',
    'nothing',
    'tile/0/x001/x001',
  ])('has no file %s, and lets nobody remember that', async (path) => {
    const { statusCode, headers } = await file(path);
    expect([statusCode, headers['cache-control']]).toEqual([404, 'no-store']);
  });

  it('serves nothing that no published checkpoint covers: caches would keep what a power cut takes back', async () => {
    const log = service.store.transparencyLog;
    const first = await log.current();
    await log.add(entriesTo(1, 9_000));
    await log.append(9, ({ head, edge, entries }) => {
      const leaves = entries.map((entry) => hashLeaf(Buffer.from(entry)));
      return { ...growTree(head.size, edge, leaves), checkpoint: 'not seen' };
    });
    expect((await log.current())?.size).toBe(601);
    for (const path of ['tile/0/002.p/89', 'tile/entries/002.p/89', 'statements/3']) {
      expect([path, (await file(path)).statusCode]).toEqual([path, 404]);
    }
    await log.publish('1', { size: 601, note: first?.published?.note ?? '' }, false);
    for (const path of ['tile/0/002.p/89', 'tile/entries/002.p/89']) {
      expect([path, (await file(path)).statusCode]).toEqual([path, 200]);
    }
  });

  it('serves a later epoch beside the first one', async () => {
    const log = service.store.transparencyLog;
    const last = await log.current();
    await log.beginEpoch({ origin: `${last?.origin}/2`, key: '' }, () => ({ id: 'epoch:2', entry: 'x\n' }));
    expect((await file('2/checkpoint')).statusCode).toBe(404);
    expect((await file('checkpoint')).statusCode).toBe(200);
  });
});
