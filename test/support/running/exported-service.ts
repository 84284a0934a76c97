import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { urlKeyOf } from '../../../src/core/keyed-hash.ts';
import type { ProbeOutcome } from '../../../src/core/verdict/probe-outcome.ts';
import { publishRun } from '../../../src/flows/crawl/publish-run.ts';
import { logSnapshot } from '../../../src/flows/snapshot/keep-snapshot.ts';
import { makeSnapshot } from '../../../src/flows/snapshot/make-snapshot.ts';
import { runExport } from '../../../src/main/commands/export/export.ts';
import type { CrawlRow } from '../../../src/ports/crawl-runs.ts';
import { answered, ENTRY, paywall } from '../../../tools/samples/challenge.ts';
import { crawlId, unpublished } from '../../../tools/samples/crawl-rows.ts';
import { target } from '../../../tools/samples/listed.ts';
import { testKeeper } from '../log/test-log.ts';
import { testRunLog } from '../log/test-runs.ts';
import { crawledOf, unclaimed } from '../random-checks.ts';
import { signerOf, snapshotPorts } from '../snapshot/snapshot-world.ts';
import { newSqlitePlace } from '../storing/stores.ts';
import { operate } from './command-line.ts';
import { BASE_URL, NOON, startService } from './running-service.ts';
import { serveFolder } from './serve-folder.ts';

export const CHECK = '/v1/products/endpoint-spot-check?mode=dry-run&url=http%3A%2F%2Fseller.example%2Fhonest';
/** One that the settings accept. */
const SECRET = 'a-secret-of-the-exported-service';
/** The key of its log. */
export const SIGNER = signerOf(SECRET);
const INDEX = ['index.json', 'index.jsonl'];

/** The n-th URL of a run: every third one has no paywall, and is a skip. */
export function listedUrl(n: number): string {
  return `http://listed-${n}.example/x`;
}

function rowOf(n: number, run: number): CrawlRow {
  const outcome: ProbeOutcome = n % 3 === 0 ? answered({ status: 200 }) : paywall([ENTRY]);
  const { basis, ...receipt } = crawledOf(unclaimed(outcome)[0], false);
  const url = listedUrl(n);
  return {
    urlKey: urlKeyOf(SECRET)(target(url).normalized),
    receipt: {
      ...receipt,
      ...{ url, id: crawlId(run * 10_000 + n) },
      ...(basis === undefined ? {} : { basis: { ...basis, run: `run-${run}` } }),
    },
  };
}

/** A service on a socket, the folder that its store is exported to, and a web server of that folder. */
export async function startExported() {
  const folder = await mkdtemp(join(tmpdir(), 'assay-export-'));
  const place = await newSqlitePlace();
  const { keeper } = testKeeper((await place.open()).transparencyLog, { secret: SECRET });
  // The first to open the log gives it its keys.
  await keeper.open();
  const service = await startService({
    ...{ door: 'socket', place },
    world: { secret: SECRET, logKeeper: keeper },
  });
  const served = await serveFolder(folder);
  const { settings } = service.place;
  if (!('file' in settings) || service.address === null) throw new Error('a file and a socket');
  const environment = { DATA_DIR: dirname(settings.file), BASE_URL, SECRET };
  const bytesAt = async (address: string | null, path: string) => {
    const answer = await fetch(`${address}/${path}`);
    return answer.status === 200 ? Buffer.from(await answer.arrayBuffer()).toString('base64') : answer.status;
  };
  const paths = async (): Promise<string[]> => {
    // The lock of the folder is nothing that the service serves.
    const found = await readdir(folder, { recursive: true, withFileTypes: true });
    return found
      .filter((entry) => entry.isFile() && entry.name !== '.lock')
      .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
      .toSorted();
  };
  return {
    ...{ folder, service, served, paths, keeper },
    keyOf: (url: string) => urlKeyOf(SECRET)(target(url).normalized),
    read: (path: string) => readFile(join(folder, path), 'utf8'),
    async export(...words: string[]) {
      const done = await operate(['export', folder, ...words], (given, output) =>
        runExport(given, output, environment),
      );
      if (done.code !== 0) throw new Error(done.notes.join('\n'));
      return done;
    },
    async index(): Promise<{ path: string; sha256: string; bytes: number }[]> {
      const lines = (await readFile(join(folder, 'index.jsonl'), 'utf8')).trimEnd().split('\n');
      return lines.map((line) => JSON.parse(line));
    },
    async publish(run: number, count: number): Promise<void> {
      const rows = Array.from({ length: count }, (_, n) => rowOf(n, run));
      await unpublished(service.store.runs, `run-${run}`, rows);
      const runLog = testRunLog(service.store, { secret: SECRET, keeper });
      const crawledAt = new Date(NOON.getTime() + run);
      await publishRun(
        { id: `run-${run}`, crawledAt, sources: new Map() },
        { publishAnyway: true },
        {
          ...{ runs: service.store.runs, runLog },
        },
      );
      const made = await makeSnapshot(snapshotPorts(service.store, { signer: SIGNER }));
      if (made.kind === 'made') await logSnapshot(made.snapshot, service.store.transparencyLog);
      await keeper.round();
    },
    /** The paths whose bytes the service and the web server do not agree about. */
    async differing(): Promise<string[]> {
      const differing: string[] = [];
      for (const path of await paths()) {
        if (INDEX.includes(path)) continue;
        const [ours, theirs] = [await bytesAt(served.address, path), await bytesAt(service.address, path)];
        if (ours !== theirs) differing.push(path);
      }
      return differing;
    },
    async close() {
      await served.close();
      await service.close();
      await rm(folder, { recursive: true });
    },
  };
}
