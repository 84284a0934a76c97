import { hash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { applyDelta } from '../../../src/core/snapshot/snapshot-delta.ts';
import { readSnapshot } from '../../../src/core/snapshot/snapshot-file.ts';
import { openFile, openManifest } from '../../../src/core/snapshot/verify-snapshot.ts';
import { makeSnapshot, remakeSnapshot } from '../../../src/flows/snapshot/make-snapshot.ts';
import { snapshotResponse } from '../../../src/wire/responses/snapshot-json.ts';
import { crawlId } from '../../../tools/samples/crawl-rows.ts';
import { expectProblem } from '../../support/asking.ts';
import { publishCrawl } from '../../support/crawling/published-crawl.ts';
import { NOON, startService, type TestService } from '../../support/running/running-service.ts';
import { ORIGIN, payRow, SIGNER, snapshotPorts } from '../../support/snapshot/snapshot-world.ts';

const rows = (run: number, from: number, to: number) =>
  Array.from({ length: to - from }, (_, n) => payRow(from + n, { id: crawlId(run * 1_000 + n) }));

describe('the routes of the snapshot', () => {
  let service: TestService;
  const publish = async (run: number, from: number, to: number) => {
    const crawledAt = new Date(NOON.getTime() + run);
    await publishCrawl(service.store.runs, `run-${run}`, rows(run, from, to), { crawledAt });
    await makeSnapshot(snapshotPorts(service.store));
  };
  /** Links are under the public address; the service listens here. */
  const download = async (link: string, init?: RequestInit) => {
    const response = await fetch(service.address + new URL(link).pathname, init);
    return { response, bytes: Buffer.from(await response.arrayBuffer()) };
  };
  const latest = async () => snapshotResponse.parse((await service.ask('/v1/snapshot')).json);

  beforeAll(async () => {
    service = await startService({ door: 'socket' });
  });
  afterAll(() => service.close());

  it('answers 404 before the first run', async () => {
    expectProblem(await service.ask('/v1/snapshot'), 404, 'not_found');
  });

  it('leads to a file that its manifest vouches for, in one piece and in shards', async () => {
    await publish(1, 0, 700);
    const answer = await service.ask('/v1/snapshot');
    expect(answer.header('cache-control')).toBe('public, max-age=60');
    const found = await latest();
    expect(found).toMatchObject({
      run: 'run-1',
      size: 700,
      delta: null,
      expires: '2026-11-29T12:00:00.001Z',
    });
    const manifest = openManifest(found.manifest, SIGNER.key, ORIGIN);
    if (typeof manifest === 'string') throw new Error(manifest);
    const { response, bytes } = await download(found.file);
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(hash('sha256', bytes, 'hex')).toBe(found.sha256);
    expect(openFile(bytes, manifest)).toMatchObject({ size: 700 });

    const pieces = [(await download(found.head)).bytes];
    expect(hash('sha256', pieces[0] ?? '', 'base64')).toBe(manifest.headSha256.toString('base64'));
    for (let shard = 0; shard < 256; shard += 1) {
      const name = shard.toString(16).padStart(2, '0');
      pieces.push((await download(found.shards.replace('{shard}', name))).bytes);
    }
    expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
    const etag = response.headers.get('etag') ?? '';
    expect((await download(found.file, { headers: { 'if-none-match': etag } })).response.status).toBe(304);
  });

  it('leads from one file to the next', async () => {
    const before = await latest();
    const from = readSnapshot((await download(before.file)).bytes);
    await publish(2, 30, 720);
    const after = await latest();
    expect(after.delta?.from).toBe(before.sha256);
    const { bytes } = await download(after.delta?.url ?? '');
    const manifest = openManifest(after.manifest, SIGNER.key, ORIGIN);
    const isRead = typeof from !== 'string' && typeof manifest !== 'string';
    const result = isRead ? applyDelta(from, bytes, manifest) : 'cannot be read';
    expect(
      typeof result === 'string' ? result : result.bytes.equals((await download(after.file)).bytes),
    ).toBe(true);
    expect((await download(before.file)).response.status).toBe(200);
  });

  it.each([
    ['an unknown file', `/snapshot/${'0'.repeat(64)}.bin`],
    ['an unknown shard', `/snapshot/${'0'.repeat(64)}/00.bin`],
    ['an unknown delta', `/snapshot/${'0'.repeat(64)}-${'1'.repeat(64)}.delta`],
    ['no hash', '/snapshot/latest.bin'],
    ['a longer path', `/snapshot/${'0'.repeat(64)}/00/00.bin`],
  ])('answers 404 that nobody keeps for %s', async (_, path) => {
    const answer = await service.ask(path);
    expectProblem(answer, 404, 'not_found');
    expect(answer.header('cache-control')).toBe('no-store');
  });

  it('has neither a part that does not exist nor a delta from another file', async () => {
    const { sha256 } = await latest();
    for (const name of [`${sha256}/zz.bin`, `${sha256}/100.bin`, `${'0'.repeat(64)}-${sha256}.delta`])
      expectProblem(await service.ask(`/snapshot/${name}`), 404, 'not_found');
  });

  it('serves nothing any more of what was replaced, even what it had in memory', async () => {
    const before = await latest();
    await download(before.file);
    await publish(3, 0, 5);
    await remakeSnapshot(snapshotPorts(service.store));
    const now = await latest();
    expect(now.delta).toBeNull();
    for (const link of [before.file, before.head, before.delta?.url ?? ''])
      expect((await download(link)).response.status).toBe(404);
    expect((await download(now.file)).response.status).toBe(200);
  });
});
