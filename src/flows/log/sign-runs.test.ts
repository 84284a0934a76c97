import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ORIGIN, testKeeper } from '../../../test/support/log/test-log.ts';
import { publishLogged } from '../../../test/support/log/test-runs.ts';
import { newSqlitePlace, type Place } from '../../../test/support/storing/stores.ts';
import { crawlId } from '../../../tools/samples/crawl-rows.ts';
import { NOON } from '../../../tools/samples/store-receipts.ts';
import type { Store } from '../../adapters/store/store.ts';
import { checkpointText } from '../../core/log/checkpoint.ts';
import { signNote } from '../../core/log/note.ts';
import { parsePolicy } from '../../core/log/policy.ts';
import { runTree } from '../../core/log/run-tree.ts';
import { parseProofBundle } from '../../core/verify/proof-bundle.ts';
import { verifyBundle } from '../../core/verify/verify-bundle.ts';
import { proofJson } from '../../wire/responses/proofs/proof-response.ts';
import { beginEpoch } from './begin-epoch.ts';
import { createRunLog } from './log-run.ts';
import { policyText } from './policy-text.ts';
import { proveReceipt } from './prove-receipt.ts';

const [OLD, NEW] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
const RUN = 'run';

let place: Place;
let store: Store;
beforeEach(async () => {
  place = await newSqlitePlace();
  store = await place.open();
});
afterEach(() => place.remove());

async function published(key: Uint8Array<ArrayBuffer>): Promise<void> {
  const process = testKeeper(store.transparencyLog, { key });
  await publishLogged(store, RUN, 1, createRunLog({ ...process, log: store.transparencyLog }));
  await process.keeper.round();
}

/** What a client sees that has nothing but the policy of today. */
async function verified(id: string) {
  const policy = parsePolicy(
    await policyText('', { log: store.transparencyLog, witnesses: 'quorum none', promiseKey: null }),
  );
  const proof = await proveReceipt(id, store);
  const bundle = proof.kind === 'proved' ? parseProofBundle(JSON.stringify(proofJson(proof))) : null;
  if (bundle === null || 'fault' in policy) throw new Error('there is no proof');
  const { steps } = verifyBundle({ bundle, policy, promiseKey: null, id, now: NOON });
  return Object.fromEntries(steps.map(({ name, state }) => [name, state]));
}

describe('a run from before a rotation', () => {
  it('is signed by the new key, too: who knows that one alone can verify its receipts', async () => {
    await published(OLD);
    const before = await store.transparencyLog.head(runTree(RUN));
    await testKeeper(store.transparencyLog, { key: NEW, oldKey: OLD }).keeper.round();
    await testKeeper(store.transparencyLog, { key: NEW }).keeper.round();
    expect(await verified(crawlId(1))).toMatchObject({ statement: 'ok', log: 'ok' });
    const after = await store.transparencyLog.head(runTree(RUN));
    expect(after?.published?.note.startsWith(before?.published?.note ?? '-')).toBe(true);
    await testKeeper(store.transparencyLog, { key: NEW }).keeper.round();
    expect(await store.transparencyLog.head(runTree(RUN))).toEqual(after);
  });

  it('is not signed with the key of a later epoch', async () => {
    await published(OLD);
    const before = await store.transparencyLog.head(runTree(RUN));
    await beginEpoch(store.transparencyLog, '');
    await testKeeper(store.transparencyLog, { key: NEW }).keeper.round();
    expect(await store.transparencyLog.head(runTree(RUN))).toEqual(before);
    expect(await verified(crawlId(1))).toMatchObject({ statement: 'ok', log: 'ok' });
  });

  it('is signed for the tree that it has, and for nothing else', async () => {
    await published(OLD);
    const { signersOf, keeper } = testKeeper(store.transparencyLog, { key: NEW, oldKey: OLD });
    const former = signersOf({ tree: '1', origin: ORIGIN }).slice(1);
    const note = signNote(checkpointText({ origin: ORIGIN, size: 9, root: new Uint8Array(32) }), former);
    await store.transparencyLog.publish(runTree(RUN), { size: 2, note }, false);
    await keeper.round();
    expect((await store.transparencyLog.head(runTree(RUN)))?.published).toEqual({ size: 2, note });
    expect(keeper.state()).toBe('ok');
  });
});
