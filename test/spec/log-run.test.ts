import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditLog } from '../../src/core/log/audit.ts';
import { type Policy, parsePolicy } from '../../src/core/log/policy.ts';
import { crawlRow, unpublished } from '../../tools/samples/crawl-rows.ts';
import { afterNoon } from '../../tools/samples/store-receipts.ts';
import { expectedEntries, publishAsCrawl, publishLogged, testRunLog } from '../support/log/test-runs.ts';
import { SECRET, startService, type TestService } from '../support/running/running-service.ts';

const RUN = '0123456789abcdef';
const IMMUTABLE = 'public, max-age=31536000, immutable';

describe('the tree of a run over HTTP', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ door: 'socket' });
    const { store, logKeeper: keeper } = service;
    await publishLogged(store, RUN, 1_300, testRunLog(store, { secret: SECRET, keeper }));
    await keeper.round();
    await store.runs.begin('older', afterNoon(0));
    await unpublished(store.runs, 'older', [crawlRow(5_000)]);
    await publishAsCrawl(store.runs, 'older', testRunLog(store, { secret: SECRET, keeper }));
  });
  afterAll(() => service.close());

  const file = async (path: string, run = RUN) => {
    const answer = await request(`${service.address}/log/run/${run}/${path}`);
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

  it('passes a whole audit by the policy of the log', async () => {
    const policy = await policyOf();
    const origin = `${policy.logs[0]?.key.name}/run/${RUN}`;
    const entries: string[] = [];
    const onEntry = (entry: Uint8Array) => {
      entries.push(Buffer.from(entry).toString());
    };
    const report = await auditLog({ fetchFile, policy, origin, filesAtOnce: 4, sizeMax: 10_000, onEntry });
    expect(report).toMatchObject({ faults: [], head: { size: 1_300, origin } });
    const expected = await expectedEntries(service.store.runs, RUN);
    expect(entries).toEqual(expected.map(({ entry }) => entry));
  });

  it('cannot be taken for the log itself', async () => {
    const report = await auditLog({ fetchFile, policy: await policyOf(), filesAtOnce: 1, sizeMax: 10_000 });
    expect(report.faults).toEqual([{ kind: 'checkpoint_wrong_origin', path: 'checkpoint' }]);
  });

  it('serves the checkpoint for a minute: a new key signs it, too', async () => {
    const { statusCode, headers } = await file('checkpoint');
    expect([statusCode, headers['content-type'], headers['cache-control']]).toEqual([
      ...[200, 'text/plain; charset=utf-8', 'public, max-age=60'],
    ]);
  });

  it.each<[string, string]>([
    ['statement', 'application/json; charset=utf-8'],
    ['tile/0/004', 'application/octet-stream'],
    ['tile/0/005.p/20', 'application/octet-stream'],
    ['tile/1/000.p/5', 'application/octet-stream'],
    ['tile/entries/004', 'application/octet-stream'],
    ['tile/entries/005.p/20', 'application/octet-stream'],
  ])('serves %s as %s for ever', async (path, type) => {
    const { statusCode, headers } = await file(path);
    expect([statusCode, headers['content-type'], headers['cache-control']]).toEqual([200, type, IMMUTABLE]);
  });

  it('serves the statement that the log has an entry of', async () => {
    const { bytes } = await file('statement');
    const statement = Buffer.from(bytes).toString();
    expect(JSON.parse(statement)).toMatchObject({
      assay: 'run/1',
      id: RUN,
      size: 1_300,
      rules: '6',
      sources: { 'first-list': { items: 3, ok: true, sha256: 'ab'.repeat(32) } },
      summary: { endpoints_covered: 1_300, verdicts: { pay: 0, recheck: 0, skip: 1_300 } },
    });
    const sha256 = Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('base64');
    expect(await service.store.transparencyLog.place(`run:${RUN}`)).toMatchObject({
      tree: '1',
      entry: `assay run v1\n${RUN}\n${sha256}\n`,
    });
  });

  it.each<[string, string]>([
    ['tile/0/005', RUN],
    ['tile/0/005.p/21', RUN],
    ['tile/0/006.p/1', RUN],
    ['tile/entries/005.p/21', RUN],
    ['policy', RUN],
    ['nothing', RUN],
    ['checkpoint', 'older'],
    ['statement', 'older'],
    ['tile/entries/000.p/1', 'older'],
    ['statement', 'unknown'],
    ['checkpoint', 'not_a_run'],
  ])('has no file %s of run %s, and lets nobody remember that', async (path, run) => {
    const { statusCode, headers } = await file(path, run);
    expect([statusCode, headers['cache-control']]).toEqual([404, 'no-store']);
  });
});
