import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FIRST, ORIGIN, testKeeper } from '../../../test/support/log/test-log.ts';
import { expectedEntries, publishAsCrawl, publishLogged } from '../../../test/support/log/test-runs.ts';
import { newSqlitePlace, type Place } from '../../../test/support/storing/stores.ts';
import { crawlId, statedRow, unpublished } from '../../../tools/samples/crawl-rows.ts';
import { aReceipt } from '../../../tools/samples/store-receipts.ts';
import type { Store } from '../../adapters/store/store.ts';
import { parseCheckpoint } from '../../core/log/checkpoint.ts';
import { entryText } from '../../core/log/entry.ts';
import { type NoteKey, openNote } from '../../core/log/note.ts';
import { parseProofFile } from '../../core/log/proof-file.ts';
import { hashLeaf } from '../../core/log/tree-hash.ts';
import { isIncluded } from '../../core/log/verify-proof.ts';
import { readRunStatement } from '../../core/statement/run-statement.ts';
import { statementSha256 } from '../../core/statement/statement-hash.ts';
import type { LogKeeper } from './keep-log.ts';
import { proveReceipt, type ReceiptProof } from './prove-receipt.ts';

const RUN = 'run';

let place: Place;
let store: Store;
let keeper: LogKeeper;
let keys: readonly NoteKey[];

beforeEach(async () => {
  place = await newSqlitePlace();
  store = await place.open();
  const { signersOf, ...made } = testKeeper(store.transparencyLog);
  keeper = made.keeper;
  await keeper.open();
  keys = signersOf(FIRST).map(({ key }) => key);
});
afterEach(() => place.remove());

const prove = (id: string) => proveReceipt(id, store);

/** The signed head that a proof file leads to for this entry; null when it proves nothing. */
function provenHead(file: string, entry: string) {
  const proof = parseProofFile(file);
  const opened = proof === null ? 'no proof' : openNote(proof.checkpoint, keys);
  const head = typeof opened === 'string' ? null : parseCheckpoint(opened.text);
  if (proof === null || head === null) return null;
  const claim = { ...head, index: proof.index, leaf: hashLeaf(Buffer.from(entry)), proof: proof.proof };
  return isIncluded(claim) ? { ...head, index: proof.index } : null;
}

/** What a client does that has nothing but the log's key. */
function verify(proved: ReceiptProof) {
  if (proved.kind !== 'proved' || proved.run === undefined) throw new Error(proved.kind);
  const { statement, proof, run } = proved;
  const receipt = entryText({ kind: 'receipt', id: '-', sha256: statementSha256(statement) });
  const inRun = provenHead(proof, receipt);
  const stated = readRunStatement(run.statement);
  if (inRun === null || stated === null) return null;
  const entry = entryText({ kind: 'run', run: stated.id, sha256: statementSha256(run.statement) });
  const inLog = provenHead(run.proof, entry);
  const isItsTree = stated.size === inRun.size && Buffer.compare(stated.root, inRun.root) === 0;
  return isItsTree ? { inRun, inLog, run: stated.id } : null;
}

describe('the proof of a crawl receipt', () => {
  it('leads from every receipt of a run over its tree to the log', async () => {
    await publishLogged(store, RUN, 1_300);
    await keeper.round();
    for (const [index, { id }] of (await expectedEntries(store.runs, RUN)).entries()) {
      expect(verify(await prove(id)), id).toMatchObject({
        run: RUN,
        inRun: { origin: `${ORIGIN}/run/${RUN}`, size: 1_300, index },
        inLog: { origin: ORIGIN, index: 0 },
      });
    }
  });

  it('proves nothing about another statement', async () => {
    await publishLogged(store, RUN, 300);
    await keeper.round();
    const proved = await prove(crawlId(7));
    if (proved.kind !== 'proved' || proved.run === undefined) throw new Error(proved.kind);
    const { run, statement } = proved;
    expect(verify(proved)?.inLog).not.toBeNull();
    expect(verify({ ...proved, statement: statement.replace('"skip"', '"pay"') })).toBeNull();
    const forged = { ...run, statement: run.statement.replace('"size":300', '"size":299') };
    expect(verify({ ...proved, run: forged })).toBeNull();
    const counted = { ...run, statement: run.statement.replace('"new_this_week":300', '"new_this_week":3') };
    expect(counted.statement).not.toBe(run.statement);
    expect(verify({ ...proved, run: counted })).toMatchObject({ inLog: null });
  });

  it('has to wait until the run has its place in the log', async () => {
    await publishLogged(store, RUN, 3);
    expect(await prove(crawlId(1))).toEqual({ kind: 'not_yet' });
  });

  it('does not exist for a run without a tree, nor for an unknown receipt', async () => {
    await unpublished(store.runs, RUN, [statedRow(1)]);
    await publishAsCrawl(store.runs, RUN, null);
    expect(await prove(crawlId(1))).toEqual({ kind: 'unknown' });
    expect(await prove(crawlId(2))).toEqual({ kind: 'unknown' });
  });
});

it('proves the receipt of a check by its own entry', async () => {
  const receipt = aReceipt();
  await store.receipts.add(receipt, 'key');
  expect(await prove(receipt.id)).toEqual({ kind: 'not_yet' });
  await keeper.round();
  const proved = await prove(receipt.id);
  expect(proved).toMatchObject({ kind: 'proved', statement: await store.receipts.statement(receipt.id) });
  expect(proved).not.toHaveProperty('run');
});
