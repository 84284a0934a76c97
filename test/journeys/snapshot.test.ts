import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openSqlite } from '../../src/adapters/store/sqlite/open.ts';
import { openSnapshot } from '../../src/guard/snapshot/open-snapshot.ts';
import { projectFile } from '../../tools/project-file.ts';
import { THIEF } from '../../tools/samples/challenge.ts';
import { crawlId } from '../../tools/samples/crawl-rows.ts';
import { publishCrawl } from '../support/crawling/published-crawl.ts';
import { GOODS, guardFor, payer } from '../support/guarding/sellers/in-process-seller.ts';
import { type LoopbackSeller, startLoopbackSeller } from '../support/guarding/sellers/loopback-seller.ts';
import { payRow } from '../support/snapshot/snapshot-world.ts';

/** The built program, as `npm start` runs it. `npm test` builds it first. */
const ROOT = projectFile('.');
const PROGRAM = join(ROOT, 'dist/bundle/node/serve.js');
const DATA_DIR = mkdtempSync(join(tmpdir(), 'assay-snapshot-'));

let child: ChildProcess | null = null;
let seller: LoopbackSeller;

beforeAll(async () => {
  seller = await startLoopbackSeller();
});
afterAll(async () => {
  child?.kill('SIGKILL');
  await seller.close();
  rmSync(DATA_DIR, { recursive: true });
});

/** Starts the service on the store; its key is in the policy of its log. */
async function serve(): Promise<{ address: string; key: string }> {
  const process_ = spawn(process.execPath, [PROGRAM], {
    env: { PATH: process.env['PATH'], DATA_DIR, PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child = process_;
  const said: string[] = [];
  for (const stream of [process_.stdout, process_.stderr])
    createInterface({ input: stream }).on('line', (line) => said.push(line));
  const find = (pattern: RegExp) =>
    vi.waitFor(
      () => {
        const found = pattern.exec(said.join('\n'))?.[1];
        if (found === undefined) throw new Error(`not said yet: ${pattern}`);
        return found;
      },
      { timeout: 60_000 },
    );
  const address = await find(/listening on (http\S+)/);
  const policy = await (await fetch(`${address}/log/policy`)).text();
  return { address, key: /^log (\S+)/.exec(policy)?.[1] ?? '' };
}

it('a service makes the snapshot of a run that it finds, and a guard with its key buys by it', async () => {
  const store = await openSqlite({ file: join(DATA_DIR, 'assay.db') });
  const rows = [
    payRow(1, { url: seller.url }),
    payRow(2, { id: crawlId(2), url: seller.url.replace('/paid', '/other'), payTo: THIEF }),
  ];
  await publishCrawl(store.runs, 'run-1', rows, { crawledAt: new Date(Date.now() - 3_600_000) });
  await store.close();
  const { address, key } = await serve();
  const logged = async () => {
    const answer = await fetch(`${address}/v1/snapshot`);
    expect([answer.status, await answer.json()]).toEqual([
      200,
      expect.objectContaining({ log_index: expect.any(Number) }),
    ]);
  };
  await vi.waitFor(logged, { timeout: 60_000 });
  const guard = guardFor({ fetch }, { snapshot: openSnapshot({ from: address, key }) });
  expect(await (await payer(guard.fetch)(seller.url)).text()).toBe(GOODS);
  // The crawl saw another payee there.
  const other = payer(guard.fetch)(seller.url.replace('/paid', '/other'));
  await expect(other).rejects.toMatchObject({ code: 'service_unavailable' });
  expect((await guard.purchases()).map(({ witness }) => witness?.service)).toEqual(['localhost/log']);
  child?.kill('SIGTERM');
  if (child !== null) expect(await once(child, 'exit')).toEqual([0, null]);
});

it('the package has an entry for it', async () => {
  const script = "import('assay/guard/snapshot').then((entry) => console.log(Object.keys(entry).join()))";
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], { cwd: ROOT });
  expect(stdout.trim()).toBe('openSnapshot');
});
