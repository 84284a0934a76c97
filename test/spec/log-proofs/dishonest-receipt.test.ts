import { hash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type NoteSigner, signNote } from '../../../src/core/log/note.ts';
import { promiseText } from '../../../src/core/log/promise.ts';
import { NOON, receiptId } from '../../../tools/samples/store-receipts.ts';
import {
  type LogTree,
  liveStatement,
  logWorld,
  ORIGIN,
  PROMISE_SIGNER,
  policyOf,
} from '../../support/log/log-world.ts';
import { seededSigner } from '../../support/log/seeded-signer.ts';
import { bundleOf, type ServedLog, serveWorld } from '../../support/log/serve-world.ts';
import { statesIn, type VerifyingClient, verifyingClient } from '../../support/log/verifying-cli.ts';

const ID = receiptId(3);
const PROOF = `/v1/receipts/${ID}/proof`;
const STRANGER = seededSigner(ORIGIN, 1, 'a stranger');

/** A log of receipts; the first ones differ from those of the honest one. */
function grown(
  size: number,
  { other = false, signer }: { other?: boolean; signer?: NoteSigner } = {},
): LogTree {
  const tree = logWorld(signer === undefined ? {} : { signers: [signer] });
  for (let n = 0; n < size; n += 1) tree.addReceipt(other && n === 0 ? 9_999 : n);
  return tree;
}

const promised = (signer: NoteSigner, statement: string, by: Date, id = ID) =>
  signNote(promiseText({ origin: ORIGIN, id, sha256: hash('sha256', statement, 'buffer'), by }), [signer]);
const LATER = new Date(NOON.getTime() + 3_600_000);
const BEFORE = new Date(NOON.getTime() - 3_600_000);

let world: LogTree;
let served: ServedLog;
let client: VerifyingClient;
beforeEach(async () => {
  world = grown(5);
  served = await serveWorld(world);
  client = verifyingClient(() => served.address);
  served.lies.set(PROOF, await bundleOf(world, 3));
});
afterEach(async () => {
  await served.close();
  client.remove();
});

async function show(next: LogTree, index = 3): Promise<void> {
  served.show(next);
  served.lies.set(PROOF, await bundleOf(next, index));
}

describe('a service that lies about a receipt is found out, and the evidence is kept', () => {
  it.each<[string, () => Promise<string>, Record<string, string>]>([
    [
      'one byte of the statement is changed',
      async () => {
        const changed = liveStatement(3).replace('weather', 'weathes');
        return bundleOf(world, 3, { statement: Buffer.from(changed).toString('base64') });
      },
      { statement: 'failed', log: 'ok' },
    ],
    [
      'the proof is of another entry',
      async () => bundleOf(world, 3, { proof: await world.proofOf(2) }),
      { statement: 'failed', log: 'ok' },
    ],
    ['the statement is another receipt', () => bundleOf(world, 2), { statement: 'failed', log: 'ok' }],
    [
      'a stranger signed',
      () => bundleOf(grown(5, { signer: STRANGER }), 3),
      { statement: 'not_checked', log: 'failed' },
    ],
    [
      'the verdict is changed, and hashed and signed again by a stranger',
      async () => {
        const forged = logWorld({ signers: [STRANGER] });
        forged.addReceipt(3, liveStatement(3).replace('"verdict":"pay"', '"verdict":"skip"'));
        return bundleOf(forged, 0);
      },
      { log: 'failed', rules: 'failed' },
    ],
    [
      'another tree of the same size',
      () => bundleOf(grown(5, { other: true }), 3),
      { statement: 'ok', log: 'ok', memory: 'failed' },
    ],
    [
      'a promise by another key',
      () =>
        bundleOf(world, 3, {
          promise: promised(seededSigner('log.example/promises', 1, 'x'), liveStatement(3), LATER),
        }),
      { promise: 'failed', statement: 'ok' },
    ],
    [
      'a promise of another statement',
      () => bundleOf(world, 3, { promise: promised(PROMISE_SIGNER, liveStatement(4), LATER) }),
      { promise: 'failed', statement: 'ok' },
    ],
    [
      'a promise for another receipt',
      () => bundleOf(world, 3, { promise: promised(PROMISE_SIGNER, liveStatement(3), LATER, receiptId(4)) }),
      { promise: 'failed', statement: 'ok' },
    ],
  ])('%s', async (_, lie, states) => {
    const bundle = await lie();
    served.policy.text = policyOf([world]);
    served.lies.set(PROOF, bundle);
    const { code, out } = await client.verify(ID);
    expect([code, statesIn(out)]).toMatchObject([6, states]);
    expect(client.evidence()).toContain(bundle);
  });

  it('a promise that is kept is fine, also long after', async () => {
    served.lies.set(
      PROOF,
      await bundleOf(world, 3, { promise: promised(PROMISE_SIGNER, liveStatement(3), BEFORE) }),
    );
    const { code, out } = await client.verify(ID);
    expect([code, statesIn(out)]).toMatchObject([0, { promise: 'ok' }]);
  });

  it('a verdict that does not follow, although the log signed it', async () => {
    const unsound = logWorld();
    unsound.addReceipt(3, liveStatement(3).replace('"verdict":"pay"', '"verdict":"skip"'));
    await show(unsound, 0);
    const { code, out } = await client.verify(ID);
    expect([code, statesIn(out)]).toMatchObject([6, { statement: 'ok', log: 'ok', rules: 'failed' }]);
  });

  it('rules of a version that is not installed are not checked', async () => {
    const newer = logWorld();
    newer.addReceipt(3, liveStatement(3).replace('"rules":"6"', '"rules":"999"'));
    await show(newer, 0);
    const { code, out } = await client.verify(ID);
    expect([code, statesIn(out)]).toMatchObject([0, { statement: 'ok', rules: 'not_checked' }]);
  });
});

describe('a withdrawal', () => {
  it('that the log has is fine; a quiet one is not', async () => {
    served.lies.set(PROOF, 410);
    expect((await client.verify(ID)).code).toBe(6);
    const sha256 = hash('sha256', liveStatement(3), 'buffer');
    world.add({ kind: 'withdrawal', id: ID, sha256, because: 'secret' });
    expect((await client.verify(ID)).code).toBe(3);
  });
});
