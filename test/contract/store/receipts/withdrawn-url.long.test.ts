import { randomInt } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { runOfTree } from '../../../../src/core/log/run-tree.ts';
import { tilesOf } from '../../../../src/core/log/tile.ts';
import { snapshotKey } from '../../../../src/core/snapshot/snapshot-key.ts';
import { SHARDS } from '../../../../src/core/snapshot/snapshot-rows.ts';
import { runBackup } from '../../../../src/main/commands/backup/backup.ts';
import { runWithdraw } from '../../../../src/main/commands/log/withdraw.ts';
import { crawlId, crawlRow, unpublished } from '../../../../tools/samples/crawl-rows.ts';
import { publishCrawl } from '../../../support/crawling/published-crawl.ts';
import { publishAsCrawl, statedRows, testRunLog } from '../../../support/log/test-runs.ts';
import { type Everywhere, putEverywhere, tablesWith } from '../../../support/log/url-everywhere.ts';
import { operate } from '../../../support/running/command-line.ts';
import { SECRET, startService, type TestService } from '../../../support/running/running-service.ts';
import { COMMAND_KEYS, publishSnapshot } from '../../../support/snapshot/snapshot-world.ts';
import { usePostgres } from '../../../support/storing/postgres-places.ts';
import { type NewPlace, newSqlitePlace, type Place } from '../../../support/storing/stores.ts';

const newPostgresPlace = usePostgres();
const ENGINES: readonly [string, NewPlace][] = [
  ['SQLite', newSqlitePlace],
  ['PostgreSQL', newPostgresPlace],
];

/** Such as no redaction hides. */
function newWord(): string {
  return `word${Array.from({ length: 10 }, () => 'abcdefghijklmnopqrstuvwxyz'[randomInt(26)]).join('')}`;
}

const environment = ({ settings }: Place) => ({
  ...COMMAND_KEYS,
  ...('file' in settings ? { DATA_DIR: dirname(settings.file) } : { DATABASE_URL: settings.url }),
});

const HTML = { headers: { accept: 'text/html' } };

/** Everything that can show a receipt, with a revision that no process has rendered yet. */
async function shown(service: TestService, { url, ...ids }: Everywhere): Promise<string[]> {
  service.clock.now = new Date(service.clock.now.getTime() + 5_000);
  await service.logKeeper.round();
  const { crawlIds, liveId, dryRunId } = ids;
  const receipts = [...crawlIds, liveId, dryRunId].flatMap((id) =>
    ['', '.json', '/statement', '/proof', '/proof.tlog-proof'].map((end) => `/v1/receipts/${id}${end}`),
  );
  const query = new URLSearchParams({ url });
  const paths = [
    ...receipts,
    ...[
      '/v1/skips',
      '/v1/skips.json',
      '/v1/skips.csv',
      '/v1/skips?page=2',
      '/v1/skips.json?host=seller.example',
    ],
    ...['/v1/skips.atom', '/v1/receipts', '/v1/receipts?page=2', '/v1/receipts?type=live'],
    ...[
      '/v1/receipts?type=dry-run',
      '/log/statements/0',
      '/log/checkpoint',
      '/v1/corrections',
      '/corrections',
    ],
    ...[`/v1/receipts/by-url?${query}`, `/v1/watch.atom?${query}`, `/badge.svg?${query}`],
  ];
  const texts: string[] = [];
  for (const path of paths) {
    for (const sent of [{}, HTML]) {
      const { text } = await service.ask(path, sent);
      // What was asked for may be said again.
      const asked = path.includes('url=') ? [url, encodeURIComponent(url), query.toString()] : [];
      texts.push(asked.reduce((left, echo) => left.replaceAll(echo, ''), text));
    }
  }
  return texts;
}

/** Everything below these addresses, as bytes: what an auditor and a buyer of the snapshot download. */
async function downloaded(service: TestService): Promise<readonly Buffer[]> {
  const { transparencyLog, snapshots } = service.store;
  const files: Buffer[] = [];
  for (const head of [...(await transparencyLog.epochs()), ...(await transparencyLog.runHeads())]) {
    for (const tile of tilesOf(head.size))
      files.push(Buffer.from((await transparencyLog.tile(head.tree, tile)) ?? []));
    for (const { entry } of await transparencyLog.entries(head.tree, 0, head.size))
      files.push(Buffer.from(entry));
    files.push(Buffer.from(head.checkpoint ?? ''));
    const run = runOfTree(head.tree);
    if (run !== null) {
      files.push(Buffer.from((await transparencyLog.runStatement(run)) ?? ''));
      for (const text of await transparencyLog.runStatements(run, 0, head.size))
        files.push(Buffer.from(text));
    }
  }
  const latest = await snapshots.latest();
  const shards = Array.from({ length: SHARDS }, (_, number) => number);
  for (const part of ['head' as const, 'delta' as const, ...shards])
    files.push((await snapshots.part(latest?.sha256 ?? '', part)) ?? Buffer.alloc(0));
  return files;
}

describe.each(ENGINES)('assay withdraw on %s', (_, newPlace) => {
  let service: TestService;
  afterEach(() => service.close());
  const withdraw = async (place: Place, ...argv: string[]) =>
    operate(['withdraw', ...argv], (given, output) => runWithdraw(given, output, environment(place)));

  it('leaves no trace of a URL in the store, in a backup, nor in anything that is served', async () => {
    const place = await newPlace();
    service = await startService({ place });
    const word = newWord();
    const everywhere = await putEverywhere(service, word);
    const { liveId, dryRunId, crawlIds } = everywhere;
    expect(await tablesWith(place, word)).toEqual([
      ...['crawl_pages', 'crawl_receipts', 'crawl_targets', 'live_receipts', 'payments', 'replies'],
      ...['watches', 'webhook_events'],
    ]);
    const before = await shown(service, everywhere);
    expect(before.filter((text) => text.includes(word)).length).toBeGreaterThan(20);

    const { code, printed, notes } = await withdraw(place, liveId, '--because', 'secret', '--all-of-url');
    expect([code, notes[0]]).toEqual([
      0,
      `withdrew ${liveId} and every other receipt of its URL: the text is removed, the hash stays in the log`,
    ]);
    for (const id of [liveId, dryRunId, ...crawlIds]) {
      const { sha256 } = (await service.store.withdrawals.find(id)) ?? {};
      expect(printed[0]).toContain(
        `withdrawn  ${id} (secret)\n  sha256     ${sha256}\n  log entry  withdrawal:${id}`,
      );
    }
    expect(printed[0]).toContain('No other receipt of this URL is left.\nCaches outside');

    expect(await tablesWith(place, word)).toEqual([]);
    const rows = await place.ask('select answer from payments order by key');
    expect(rows.map(({ answer }) => answer === null)).toEqual([false, true]);
    const after = await shown(service, everywhere);
    expect(after.filter((text) => text.includes(word))).toEqual([]);
    expect(after.filter((text) => text.includes('"code":"withdrawn"'))).toHaveLength(4 * 5);
    expect(after.filter((text) => /<h1>[^<]*withdrawn/i.test(text))).toHaveLength(4 * 5);

    const folder = await mkdtemp(join(tmpdir(), 'assay-withdrawn-'));
    const file = join(folder, 'all.gz');
    await operate(['backup', file], (given, output) => runBackup(given, output, environment(place)));
    const backup = gunzipSync(readFileSync(file)).toString();
    await rm(folder, { recursive: true });
    expect([backup.includes(liveId), backup.includes(word)]).toEqual([true, false]);
    if ('file' in place.settings) {
      for (const end of ['', '-wal']) {
        const bytes = `${place.settings.file}${end}`;
        expect([end, existsSync(bytes) && readFileSync(bytes).includes(word)]).toEqual([end, false]);
      }
    }
  });

  it('leaves no trace in the log, in the tree of a run, nor in the snapshot, not even its key', async () => {
    const place = await newPlace();
    service = await startService({ place });
    const word = newWord();
    const url = `http://seller.example/honest/${word}`;
    const { store, logKeeper: keeper } = service;
    const [first] = statedRows(1);
    if (first === undefined) throw new Error('there is a row');
    const { receipt } = first;
    const row = { ...first, receipt: { ...receipt, url, verdict: 'pay', code: 'price_ok' } as const };
    await unpublished(store.runs, 'run-1', [row, ...statedRows(600, 2)]);
    await publishAsCrawl(store.runs, 'run-1', testRunLog(store, { secret: SECRET, keeper }));
    await publishSnapshot(service);
    const key = snapshotKey({ method: 'GET', url });
    const hasIn = (files: readonly Buffer[], what: string | Buffer) =>
      files.some((bytes) => bytes.includes(what));
    const before = await downloaded(service);
    expect([hasIn(before, word), hasIn(before, key)]).toEqual([true, true]);
    const { code } = await withdraw(place, receipt.id, '--because', 'secret', '--all-of-url');
    expect(code).toBe(0);
    await keeper.round();
    const after = await downloaded(service);
    expect(after.length).toBeGreaterThan(before.length - 2);
    expect([hasIn(after, word), hasIn(after, key)]).toEqual([false, false]);
    expect(await tablesWith(place, word)).toEqual([]);
    // What is left is the hash, and the entry that says why the text is gone.
    const entries = await store.transparencyLog.entries('1', 0, 1_000);
    expect(entries.filter(({ entry }) => entry.startsWith('assay withdrawal v1\n'))).toHaveLength(1);
  });

  it('names the other receipts of the URL, and leaves them', async () => {
    const place = await newPlace();
    service = await startService({ place });
    const { liveId, dryRunId, crawlIds } = await putEverywhere(service, newWord());
    const { code, printed } = await withdraw(place, crawlIds[0], '--because', 'legal', '--json');
    const { withdrawn, others, being_crawled } = JSON.parse(printed[0] ?? '');
    expect([code, withdrawn.length, withdrawn[0].id, being_crawled]).toEqual([0, 1, crawlIds[0], false]);
    expect(withdrawn[0]).toMatchObject({ because: 'legal', log_entry: `withdrawal:${crawlIds[0]}` });
    expect(others.toSorted()).toEqual([crawlIds[1], liveId, dryRunId].toSorted());
    for (const id of others) expect((await service.ask(`/v1/receipts/${id}.json`)).status).toBe(200);
    // The file of verdicts is of the rows that are left.
    expect((await service.store.snapshots.latest())?.runId).toBe('run-2');
  });

  it('refuses with one line what it cannot withdraw', async () => {
    const place = await newPlace();
    service = await startService({ place });
    const { liveId } = await putEverywhere(service, newWord());
    const refused = async (exit: number, ...argv: string[]) => {
      const { code, printed, notes } = await withdraw(place, ...argv);
      expect([code, printed, notes.length]).toEqual([exit, [], 1]);
      return notes[0];
    };
    expect(await refused(1, 'sc-0000000000000000', '--because', 'error')).toBe(
      'no published receipt has the id sc-0000000000000000',
    );
    expect(await refused(2, liveId, '--because', 'whim')).toContain(
      '--because must be one of secret, personal, legal, error',
    );
    expect(await refused(2, '../x', '--because', 'error')).toContain('the id of a receipt is');
    await withdraw(place, liveId, '--because', 'error');
    expect(await refused(1, liveId, '--because', 'legal')).toMatch(
      /^sc-\w+ was withdrawn at \S+Z \(error\)$/,
    );
  });

  it('removes a receipt from before there were statements, too, by the hash of what was stored', async () => {
    const place = await newPlace();
    service = await startService({ place });
    const word = newWord();
    const { liveId } = await putEverywhere(service, word);
    const older = crawlRow(800_000);
    const url = `http://seller.example/${word}`;
    await publishCrawl(service.store.runs, 'run-3', [
      crawlRow(800_001),
      { urlKey: 'older', receipt: { ...older.receipt, url } },
    ]);
    const live = await service.store.receipts.byId(liveId);
    if (live === null) throw new Error('the check has a receipt');
    const liveOlder = { ...live, id: 'sc-00000000000000aa', seen: null, salt: null, listedMethod: null };
    await service.store.receipts.add(liveOlder, 'older');
    const { code } = await withdraw(place, crawlId(800_000), '--because', 'secret', '--all-of-url');
    expect(code).toBe(0);
    for (const id of [crawlId(800_000), liveOlder.id]) {
      expect(await service.store.withdrawals.find(id)).toMatchObject({ because: 'secret' });
      expect((await service.ask(`/v1/receipts/${id}.json`)).status).toBe(410);
    }
    expect(await tablesWith(place, 'sc-00000000000000aa')).toEqual(['log_entries', 'withdrawals']);
    expect((await service.ask(`/v1/receipts/${crawlId(800_001)}.json`)).status).toBe(200);
  });
});
