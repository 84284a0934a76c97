import { hash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
} from '../../support/log/log-world.ts';
import { seededSigner } from '../../support/log/seeded-signer.ts';
import { type Lie, type ServedLog, serveWorld } from '../../support/log/serve-world.ts';
import { type VerifyingClient, verifyingClient } from '../../support/log/verifying-cli.ts';

const ID = receiptId(3);
const PROOF = `/v1/receipts/${ID}/proof`;

/** A log of so many receipts. */
function grown(size: number): LogTree {
  const tree = logWorld();
  for (let n = 0; n < size; n += 1) tree.addReceipt(n);
  return tree;
}

const promised = (signer: NoteSigner, statement: string, by: Date) =>
  signNote(promiseText({ origin: ORIGIN, id: ID, sha256: hash('sha256', statement, 'buffer'), by }), [
    signer,
  ]);
const LATER = new Date(NOON.getTime() + 3_600_000);
const BEFORE = new Date(NOON.getTime() - 3_600_000);

let world: LogTree;
let served: ServedLog;
let client: VerifyingClient;
beforeEach(async () => {
  world = grown(5);
  served = await serveWorld(world);
  client = verifyingClient(() => served.address);
});
afterEach(async () => {
  await served.close();
  client.remove();
});

describe('a promise that was not kept', () => {
  const saved = (note: string) => {
    const file = join(client.folder, 'answer.json');
    writeFileSync(file, JSON.stringify({ receipt_promise: note }));
    return file;
  };

  it.each<[string, Date, number]>([
    ['is proof once its time is over', BEFORE, 6],
    ['is nothing before', LATER, 3],
  ])('%s', async (_, by, code) => {
    const missing = grown(3);
    served.show(missing);
    served.lies.set(PROOF, 404);
    const note = promised(PROMISE_SIGNER, liveStatement(3), by);
    const told = await client.verify(ID, '--promise', saved(note));
    expect(told.code).toBe(code);
    expect(client.evidence().sort()).toEqual(code === 6 ? [note, missing.note()].sort() : []);
  });

  it('and a proof that is withheld of a receipt that is in the log', async () => {
    served.lies.set(PROOF, 404);
    const told = await client.verify(
      ID,
      '--promise',
      saved(promised(PROMISE_SIGNER, liveStatement(3), BEFORE)),
    );
    expect(told).toMatchObject({ code: 6, notes: expect.stringContaining('its proof is withheld') });
  });

  const answerOf = (told: { code: number }) => [told.code, client.evidence().length > 0];
  const STATEMENT = hash('sha256', liveStatement(3), 'buffer');
  const OTHER = hash('sha256', liveStatement(4), 'buffer');
  const RETIRED = { status: 404, code: 'retired' } as const;
  const GONE = { status: 410, code: 'withdrawn' } as const;

  it.each<[string, Lie, (tree: LogTree) => void, Date, [number, boolean]]>([
    ['never logged, and called retired', RETIRED, () => {}, BEFORE, [6, true]],
    ['never logged, and called retired with 410', { ...RETIRED, status: 410 }, () => {}, BEFORE, [6, true]],
    ['not due yet, and called retired: nobody can tell', RETIRED, () => {}, LATER, [3, false]],
    ['never logged, and in an archive elsewhere', 308, () => {}, BEFORE, [6, true]],
    ['logged, and in an archive elsewhere', 308, (tree) => tree.addReceipt(3), BEFORE, [3, false]],
    ['logged, and retired since', RETIRED, (tree) => tree.addReceipt(3), BEFORE, [3, false]],
    [
      'logged with another statement, and called retired',
      RETIRED,
      (tree) => tree.add({ kind: 'receipt', id: ID, sha256: OTHER }),
      BEFORE,
      [6, true],
    ],
    [
      'logged with another statement, and not shown',
      404,
      (tree) => tree.add({ kind: 'receipt', id: ID, sha256: OTHER }),
      BEFORE,
      [6, true],
    ],
    [
      'logged, and withdrawn since',
      GONE,
      (tree) => {
        tree.addReceipt(3);
        tree.add({ kind: 'withdrawal', id: ID, sha256: STATEMENT, because: 'secret' });
      },
      BEFORE,
      [3, false],
    ],
    [
      'never logged, although it was withdrawn',
      GONE,
      (tree) => tree.add({ kind: 'withdrawal', id: ID, sha256: STATEMENT, because: 'secret' }),
      BEFORE,
      [6, true],
    ],
    [
      'logged, but the withdrawal is of another statement',
      GONE,
      (tree) => {
        tree.addReceipt(3);
        tree.add({ kind: 'withdrawal', id: ID, sha256: OTHER, because: 'secret' });
      },
      BEFORE,
      [6, true],
    ],
    [
      'not due yet, but the withdrawal is of another statement',
      GONE,
      (tree) => tree.add({ kind: 'withdrawal', id: ID, sha256: OTHER, because: 'secret' }),
      LATER,
      [6, true],
    ],
  ])('is found whatever the service answers: %s', async (_, answer, change, by, expected) => {
    const tree = grown(3);
    change(tree);
    served.show(tree);
    served.lies.set(PROOF, answer);
    const note = promised(PROMISE_SIGNER, liveStatement(3), by);
    const told = await client.verify(ID, '--promise', saved(note));
    expect(answerOf(told)).toEqual(expected);
    expect(client.evidence().sort()).toEqual(told.code === 6 ? [note, tree.note()].sort() : []);
  });

  it('is not asked for without a promise: a retired receipt is in an archive', async () => {
    served.lies.set(PROOF, RETIRED);
    expect(await client.verify(ID)).toMatchObject({
      code: 3,
      notes: expect.stringContaining('in an archive'),
    });
  });

  it('is not asked for without a promise: the address of an archive is no other service', async () => {
    served.lies.set(PROOF, 308);
    const told = await client.verify(ID);
    expect([told.code, told.notes]).toEqual([3, expect.stringContaining('in an archive')]);
    served.lies.set('/log/policy', 308);
    expect((await client.verify(ID)).notes).toContain('redirects elsewhere');
  });

  it('by a stranger is forged', async () => {
    served.lies.set(PROOF, 404);
    const note = promised(seededSigner('log.example/promises', 1, 'x'), liveStatement(3), BEFORE);
    expect((await client.verify(ID, '--promise', saved(note))).code).toBe(6);
  });
});
