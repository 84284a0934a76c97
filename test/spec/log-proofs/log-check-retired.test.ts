import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { weekFiles } from '../../../src/adapters/archive/week-files.ts';
import { encodeBase64 } from '../../../src/core/log/base64.ts';
import { retiredStub } from '../../../src/core/statement/retired-stub.ts';
import { statementSha256 } from '../../../src/core/statement/statement-hash.ts';
import { NOON, receiptId } from '../../../tools/samples/store-receipts.ts';
import { type LogTree, liveStatement, logWorld } from '../../support/log/log-world.ts';
import { type ServedLog, serveWorld } from '../../support/log/serve-world.ts';
import { type VerifyingClient, verifyingClient } from '../../support/log/verifying-cli.ts';

const stubOf = (n: number, statement = liveStatement(n)) =>
  JSON.stringify(retiredStub(receiptId(n), encodeBase64(statementSha256(statement))));
const archived = (n: number, body = liveStatement(n)) => ({
  ...{ id: receiptId(n), mode: 'live' as const, checkedAt: NOON, body },
});

let world: LogTree;
let served: ServedLog;
let client: VerifyingClient;
let archive: string;
beforeEach(async () => {
  world = logWorld();
  for (let n = 0; n < 6; n += 1) world.addReceipt(n);
  served = await serveWorld(world);
  client = verifyingClient(() => served.address);
  archive = join(client.folder, 'archive');
});
afterEach(async () => {
  await served.close();
  client.remove();
});

async function checked(...more: string[]) {
  const { code, out, notes } = await client.check(...more);
  if (out === '') return { code, notes };
  const { counts, faults } = JSON.parse(out);
  return { code, retired: counts.retired, judged: counts.judged, faults: faults.map(kindOf) };
}
const kindOf = ({ kind }: { kind: string }) => kind;

async function* listOf<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}
const keepWeek = (...receipts: ReturnType<typeof archived>[]) =>
  weekFiles(archive).write('2026w46', listOf(receipts));

describe('assay log check of a log with retired receipts', () => {
  it('does not call a log sound whose statements it has not read', async () => {
    world.lines.splice(2, 1, stubOf(2));
    expect(await checked()).toEqual({ code: 3, retired: 1, judged: 5, faults: [] });
  });

  it('reads them from the archive, and judges them', async () => {
    world.lines.splice(2, 2, stubOf(2), stubOf(3));
    await keepWeek(archived(2), archived(3), archived(70));
    expect(await checked('--archive', archive)).toEqual({ code: 0, retired: 0, judged: 6, faults: [] });
  });

  it('counts those that an archive lacks, or has with another text', async () => {
    world.lines.splice(2, 2, stubOf(2), stubOf(3));
    await keepWeek(archived(2, liveStatement(2).replace('weather', 'weathes')), archived(3));
    expect(await checked('--archive', archive)).toEqual({ code: 3, retired: 1, judged: 5, faults: [] });
  });

  it('finds a verdict in the archive that does not follow', async () => {
    const wrong = liveStatement(9).replace('"verdict":"pay"', '"verdict":"skip"');
    world.addReceipt(9, wrong);
    world.lines.splice(6, 1, stubOf(9, wrong));
    await keepWeek(archived(9, wrong));
    expect(await checked('--archive', archive)).toMatchObject({ code: 6, faults: ['verdict_differs'] });
    expect(client.evidence()).toContain(wrong);
  });

  it.each<[string, string]>([
    ['of another receipt', stubOf(3)],
    ['with another hash', stubOf(2, liveStatement(3))],
    ['without a hash', JSON.stringify({ assay: 'retired/1', id: receiptId(2) })],
  ])('takes a stub %s for a statement that is withheld', async (_, stub) => {
    world.lines.splice(2, 1, stub);
    expect(await checked()).toMatchObject({ code: 6, retired: 0, faults: ['statement_withheld'] });
  });

  it('takes a stub in a run for a statement that is withheld: those are never retired', async () => {
    world.addRun();
    const run = world.runs.get('a-run')?.world;
    const stub = retiredStub('-', encodeBase64(statementSha256(run?.lines[0] ?? '')));
    run?.lines.splice(0, 1, JSON.stringify(stub));
    expect(await checked()).toMatchObject({ code: 6, retired: 0, faults: ['statement_withheld'] });
  });

  it('refuses a folder that is no archive', async () => {
    expect(await checked('--archive', join(client.folder, 'nowhere'))).toMatchObject({
      code: 2,
      notes: expect.stringContaining('--archive'),
    });
  });

  it.each<[string, Buffer]>([
    ['that is no gzip file', Buffer.from('x')],
    ['with a line that is no receipt', gzipSync('{}\n')],
    ['with an endless line', gzipSync(Buffer.alloc(4_000_000, 'x'))],
  ])('proves nothing by a file %s', async (_, bytes) => {
    world.lines.splice(2, 1, stubOf(2));
    mkdirSync(join(archive, 'receipts'), { recursive: true });
    writeFileSync(join(archive, 'receipts', '2026w46.ndjson.gz'), bytes);
    expect(await checked('--archive', archive)).toMatchObject({
      code: 5,
      notes: expect.stringContaining('2026w46.ndjson.gz'),
    });
  });
});
