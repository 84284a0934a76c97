import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { noteKeyText } from '../../../src/core/log/note.ts';
import { microUsd } from '../../../src/core/money/micro-usd.ts';
import { remakeSnapshot } from '../../../src/flows/snapshot/make-snapshot.ts';
import { openSnapshot } from '../../../src/guard/snapshot/open-snapshot.ts';
import { BASE, PAYEE, USDC_ON_BASE } from '../../../tools/samples/challenge.ts';
import { crawlId } from '../../../tools/samples/crawl-rows.ts';
import { network } from '../../../tools/samples/listed.ts';
import { verifyingClient } from '../../support/log/verifying-cli.ts';
import { CHECK, listedUrl, SIGNER, startExported } from '../../support/running/exported-service.ts';
import { NOON } from '../../support/running/running-service.ts';
import { snapshotPorts } from '../../support/snapshot/snapshot-world.ts';

const RECEIPTS = 40;
const SIGNED = { statement: '{}', signature: 'x', key: 'x' };
const TERMS = {
  network: network(BASE),
  asset: USDC_ON_BASE,
  amountAtomic: microUsd(10_000n),
  payTo: PAYEE,
};

describe('assay export', () => {
  let world: Awaited<ReturnType<typeof startExported>>;
  let checked: string;
  beforeEach(async () => {
    world = await startExported();
    checked = (await world.service.ask(CHECK)).json.receipt_id;
    await world.publish(1, RECEIPTS);
  });
  afterEach(() => world.close());

  it('writes what a web server needs to answer byte for byte as the service does', async () => {
    const { code, printed } = await world.export('--json');
    const index = await world.index();
    expect([code, printed]).toEqual([
      0,
      [JSON.stringify({ files: index.length, written: index.length, removed: 0 })],
    ]);
    expect(await world.differing()).toEqual([]);
    for (const { path, sha256, bytes } of index) {
      const content = readFileSync(join(world.folder, path));
      expect([path, bytes, sha256]).toEqual([
        path,
        content.byteLength,
        createHash('sha256').update(content).digest('hex'),
      ]);
    }
    const named = index.map(({ path }) => path);
    expect([...named, 'index.json', 'index.jsonl'].toSorted()).toEqual(await world.paths());
    const { sha256 } = JSON.parse(await world.read('v1/snapshot'));
    expect(named).toEqual(
      expect.arrayContaining([
        ...[
          'log/checkpoint',
          'log/policy',
          'log/statements/0',
          'log/rules/5.mjs',
          'log/rules/6.mjs',
          'log/run/run-1/checkpoint',
        ],
        ...['log/run/run-1/statement', 'log/run/run-1/statements/0', 'log/run/run-1/tile/0/000.p/40'],
        ...['v1/skips.json', 'v1/skips.csv', `snapshot/${sha256}.bin`, `snapshot/${sha256}/head.bin`],
        ...[`snapshot/${sha256}/ff.bin`, `v1/receipts/${checked}.json`, `v1/receipts/${checked}/statement`],
        ...[`v1/receipts/${crawlId(10_000)}.json`, `v1/receipts/${crawlId(10_039)}/statement`],
      ]),
    );
  });

  it('passes assay log check and gives the guard its snapshot, without a service', async () => {
    await world.export();
    const client = verifyingClient(() => `${world.served.address}/log`);
    try {
      const { code, out } = await client.check();
      expect([code, JSON.parse(out)]).toMatchObject([
        0,
        { sound: true, faults: [], counts: { receipts: RECEIPTS + 1, judged: RECEIPTS + 1, runs: 1 } },
      ]);
    } finally {
      client.remove();
    }
    const snapshot = openSnapshot({ from: world.served.address, key: noteKeyText(SIGNER.key) });
    const seen = await snapshot.look({ url: listedUrl(1), method: 'POST', terms: [TERMS] }, NOON);
    expect(seen).toMatchObject({ kind: 'seen', terms: TERMS });
  });

  it('writes nothing when nothing is new, and only that when something is', async () => {
    await world.export();
    const before = await world.index();
    const { printed } = await world.export();
    expect(printed).toEqual([`${before.length} files in ${world.folder}: 0 written, 0 removed`]);
    expect(await world.index()).toEqual(before);
    await world.service.ask(CHECK);
    await world.keeper.round();
    // The receipt and its statement; the tile, the bundle, the statements and the checkpoint of the log.
    expect((await world.export()).printed[0]).toContain(': 6 written, 0 removed');
    expect(await world.differing()).toEqual([]);
  });

  it('removes what was withdrawn, wherever it was', async () => {
    await world.export();
    const { store, clock } = world.service;
    await store.withdrawals.withdraw(checked, 'secret', NOON);
    await store.withdrawals.withdraw(crawlId(10_003), 'secret', NOON);
    await remakeSnapshot(snapshotPorts(store, { signer: SIGNER }));
    await world.keeper.round();
    clock.now = new Date(NOON.getTime() + 5_000);
    expect((await world.export('--json')).code).toBe(0);
    expect(await world.differing()).toEqual([]);
    for (const path of await world.paths()) {
      expect([path, /seller\.example|listed-3\./.test(await world.read(path))]).toEqual([path, false]);
      expect(path).not.toContain(checked);
      expect(path).not.toContain(crawlId(10_003));
    }
  });

  it('keeps receipts of older runs as the service has them', async () => {
    await world.export();
    await world.publish(2, RECEIPTS + 1);
    world.service.clock.now = new Date(NOON.getTime() + 5_000);
    await world.export();
    expect(await world.differing()).toEqual([]);
    const paths = await world.paths();
    for (const id of [crawlId(10_000), crawlId(20_000)]) expect(paths).toContain(`v1/receipts/${id}.json`);
    expect(paths.filter((path) => path.endsWith('.delta'))).toHaveLength(1);
    await world.publish(3, RECEIPTS + 2);
    await world.export();
    const wholes = (await world.paths()).filter((path) => /^snapshot\/[0-9a-f]{64}\.bin$/.test(path));
    expect(wholes).toHaveLength(2);
  });

  it('cleans up what a crash has left, and repairs a file that was changed', async () => {
    await world.export();
    await mkdir(join(world.folder, '.drafts'));
    await writeFile(join(world.folder, '.drafts/1-1'), 'half');
    await mkdir(join(world.folder, 'v1/receipts/sc-00000000000000aa'));
    await writeFile(join(world.folder, 'v1/receipts/sc-00000000000000aa/statement'), 'withdrawn');
    await writeFile(join(world.folder, `v1/receipts/${checked}.json`), '{}');
    await writeFile(join(world.folder, 'robots.txt'), 'not ours');
    expect((await world.export()).printed[0]).toContain(': 1 written, 1 removed');
    const paths = await world.paths();
    expect(paths.filter((path) => /drafts|part|00aa/.test(path))).toEqual([]);
    expect(await world.read('robots.txt')).toBe('not ours');
    expect((await world.differing()).filter((path) => path !== 'robots.txt')).toEqual([]);
  });

  it('follows what a seller says beside a receipt', async () => {
    const { store, clock } = world.service;
    const url = listedUrl(3);
    const urlKey = world.keyOf(url);
    await store.sellers.keepReply({ urlKey, note: 'The list has our old price.', at: NOON, signed: SIGNED });
    await world.export();
    expect(JSON.parse(await world.read(`v1/receipts/${crawlId(10_003)}.json`)).reply).toMatchObject({
      note: 'The list has our old price.',
    });
    expect(await world.differing()).toEqual([]);
    await store.sellers.withdrawReply(urlKey, NOON);
    clock.now = new Date(NOON.getTime() + 5_000);
    await world.export();
    for (const path of await world.paths()) expect(await world.read(path)).not.toContain('our old price');
    expect(await world.differing()).toEqual([]);
  });

  it('leaves a receipt that was retired to the archive', async () => {
    await world.export();
    const { store, clock } = world.service;
    await store.receiptWeeks.remove([checked]);
    clock.now = new Date(NOON.getTime() + 5_000);
    await world.export();
    expect((await world.paths()).filter((path) => path.includes(checked))).toEqual([]);
    expect(await world.read('log/statements/0')).toContain('"assay":"retired/1"');
    expect(await world.differing()).toEqual([]);
  });
});
