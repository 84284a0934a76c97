import { hash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkpointText } from '../../../src/core/log/checkpoint.ts';
import { entryText } from '../../../src/core/log/entry.ts';
import { writeBundle } from '../../../src/core/log/entry-bundle.ts';
import { noteKeyText, signNote } from '../../../src/core/log/note.ts';
import { promiseText } from '../../../src/core/log/promise.ts';
import { EMPTY_ROOT } from '../../../src/core/log/tree-hash.ts';
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
const BEFORE = new Date(NOON.getTime() - 3_600_000);

let world: LogTree;
let served: ServedLog;
let client: VerifyingClient;
beforeEach(async () => {
  world = logWorld();
  for (let n = 0; n < 5; n += 1) world.addReceipt(n);
  served = await serveWorld(world);
  client = verifyingClient(() => served.address);
  served.lies.set(PROOF, await bundleOf(world, 3));
});
afterEach(async () => {
  await served.close();
  client.remove();
});

const saved = (name: string, text: string) => {
  const file = join(client.folder, name);
  writeFileSync(file, text);
  return file;
};

function epoch(number: number, before: LogTree, signer = seededSigner(`${ORIGIN}/${number}`)): LogTree {
  const next = logWorld({ origin: `${ORIGIN}/${number}`, signers: [signer] });
  next.add({ kind: 'epoch', origin: before.origin, ...before.tree.head() });
  for (let n = number * 1_000; n < number * 1_000 + 5; n += 1) next.addReceipt(n);
  return next;
}

async function verifyIn(next: LogTree, number: number, ...more: string[]) {
  const id = receiptId(number * 1_000);
  served.lies.set(`/v1/receipts/${id}/proof`, await bundleOf(next, 1));
  return client.verify(id, ...more);
}

describe('a policy that was given', () => {
  const stranger = () => epoch(2, world, seededSigner(`${ORIGIN}/2`, 1, 'a stranger'));

  it('is not extended by an epoch that only the service vouches for', async () => {
    const forged = stranger();
    served.show(world, forged);
    const { code, out } = await verifyIn(forged, 2, '--policy', saved('policy', policyOf([world])));
    expect([code, statesIn(out)]).toMatchObject([6, { log: 'failed' }]);
  });

  it('is not extended by what was learned without it', async () => {
    const forged = stranger();
    await client.verify(ID);
    served.show(world, forged);
    expect((await verifyIn(forged, 2)).code).toBe(0);
    const { code, out } = await verifyIn(forged, 2, '--policy', saved('policy', policyOf([world])));
    expect([code, statesIn(out)]).toMatchObject([6, { log: 'failed' }]);
  });

  it('for several logs is the one to verify their files by', async () => {
    const other = logWorld({ origin: 'other.example/log' });
    const policy = saved('policy', policyOf([other, world]));
    expect((await client.verify(ID, '--policy', policy)).code).toBe(0);
    const file = saved('proof.json', await bundleOf(world, 3));
    const { code, out } = await client.verify(file);
    expect([code, statesIn(out)]).toMatchObject([0, { log: 'ok', memory: 'ok' }]);
  });
});

describe('a policy that a service shows', () => {
  it('does not vouch for a second log, of which nothing would ever be remembered', async () => {
    const beside = logWorld({ origin: 'beside.example/log' });
    for (let n = 0; n < 5; n += 1) beside.addReceipt(n);
    served.policy.text = policyOf([world, beside]);
    expect((await client.verify(ID)).code).toBe(0);
    served.lies.set(PROOF, await bundleOf(beside, 3));
    const { code, out } = await client.verify(ID);
    expect([code, statesIn(out)]).toMatchObject([6, { log: 'failed' }]);
    const given = saved('policy', policyOf([world, beside]));
    expect((await client.verify(ID, '--policy', given)).code).toBe(0);
  });
});

describe('what is remembered', () => {
  it('is not shed by an epoch that leaves the last one out', async () => {
    const second = epoch(2, world);
    served.show(world, second);
    expect((await client.verify(ID)).code).toBe(0);
    expect((await verifyIn(second, 2)).code).toBe(0);
    const third = epoch(3, world);
    served.show(world, second, third);
    const { code, out } = await verifyIn(third, 3);
    expect([code, statesIn(out)]).toMatchObject([6, { log: 'failed', memory: 'failed' }]);
    expect(client.evidence()).toEqual(expect.arrayContaining([second.note(), third.note()]));
  });

  it('stays readable, whatever number of keys a log announces', async () => {
    await client.verify(ID);
    const [old] = world.keys.signers;
    const keys = Array.from({ length: 72 }, (_, n) => seededSigner(ORIGIN, 1, `key ${n}`));
    for (const { key } of keys) world.add({ kind: 'key', change: 'add', vkey: noteKeyText(key) });
    const lines = keys.map(({ key }) => `log ${noteKeyText(key)}\n`).join('');
    served.policy.text = `log ${old === undefined ? '' : noteKeyText(old.key)}\n${lines}quorum none\n`;
    for (let visit = 0; visit < 10; visit += 1) expect((await client.verify(ID)).code).toBe(0);
  });
});

describe('a withdrawal', () => {
  it('that is in a file of entries, but not in the tree, is forged', async () => {
    served.lies.set(PROOF, 410);
    const sha256 = hash('sha256', liveStatement(3), 'buffer');
    const planted = entryText({ kind: 'withdrawal', id: ID, sha256, because: 'secret' });
    const entries = [0, 1, 2, 3].map((n) =>
      entryText({ kind: 'receipt', id: receiptId(n), sha256: hash('sha256', liveStatement(n), 'buffer') }),
    );
    const bundle = writeBundle([...entries, planted].map((entry) => Buffer.from(entry)));
    served.lies.set('/log/tile/entries/000.p/5', bundle);
    expect((await client.verify(ID)).code).toBe(6);
  });
});

describe('a promise', () => {
  const note = (signer = PROMISE_SIGNER) => {
    const sha256 = hash('sha256', liveStatement(3), 'buffer');
    return signNote(promiseText({ origin: ORIGIN, id: ID, sha256, by: BEFORE }), [signer]);
  };

  it('that the policy has no key for proves nothing', async () => {
    served.lies.set(PROOF, 404);
    const [signer] = world.keys.signers;
    const policy = `log ${signer === undefined ? '' : noteKeyText(signer.key)}\nquorum none\n`;
    const told = await client.verify(
      ID,
      '--promise',
      saved('promise', note()),
      '--policy',
      saved('policy', policy),
    );
    expect(told).toMatchObject({ code: 3, notes: expect.stringContaining('no key for promises') });
    expect(client.evidence()).toEqual([]);
  });

  it('is verified by the key of its own service, where a policy names several', async () => {
    const other = logWorld({ origin: 'other.example/log' });
    const theirs = policyOf([other], '', seededSigner('other.example/promises'));
    const promise = note();
    served.lies.set(PROOF, await bundleOf(world, 3, { promise }));
    const both = saved('policy', `${theirs}${policyOf([world])}`);
    const { code, out } = await client.verify(ID, '--policy', both);
    expect([code, statesIn(out)]).toMatchObject([0, { promise: 'ok' }]);
    const [signer] = world.keys.signers;
    const ours = `log ${signer === undefined ? '' : noteKeyText(signer.key)}\nquorum none\n`;
    const told = await client.verify(ID, '--policy', saved('policy', `${theirs}${ours}`));
    expect([told.code, statesIn(told.out)]).toMatchObject([0, { promise: 'not_checked' }]);
  });

  it('is told without the control characters of its key', async () => {
    served.lies.set(PROOF, 404);
    served.policy.text = policyOf([world], 'quorum none\n', seededSigner('a\u009b2Jb\u202ec'));
    const { code, notes } = await client.verify(ID, '--promise', saved('promise', note()));
    expect([code, notes]).toEqual([6, expect.stringContaining('not signed by a?2Jb?c')]);
  });
});

describe('assay log check is not loud about', () => {
  it('a log that is larger than it reads', async () => {
    const head = { origin: ORIGIN, size: 1_000_000_001, root: EMPTY_ROOT };
    served.lies.set('/log/checkpoint', signNote(checkpointText(head), world.keys.signers));
    const told = await client.check();
    expect([told.code, told.notes]).toEqual([5, expect.stringContaining('1000000001 entries')]);
  });

  it('a hundred million entries: it begins to read them', async () => {
    const head = { origin: ORIGIN, size: 100_000_000, root: EMPTY_ROOT };
    served.lies.set('/log/checkpoint', signNote(checkpointText(head), world.keys.signers));
    const told = await client.check();
    expect([told.code, told.out]).toEqual([6, expect.stringContaining('file_missing')]);
  });

  it('an epoch that has signed nothing yet', async () => {
    served.policy.text = policyOf([world, logWorld({ origin: `${ORIGIN}/2` })]);
    expect((await client.check()).code).toBe(5);
    await client.verify(ID);
    served.lies.set('/log/checkpoint', 404);
    expect((await client.check()).code).toBe(6);
  });
});

describe('what is proved is not taken back by a service that stops to answer', () => {
  it('about a receipt', async () => {
    served.lies.set(PROOF, await bundleOf(world, 3, { statement: Buffer.from('{}').toString('base64') }));
    served.lies.set('/log/checkpoint', 500);
    const { code, out } = await client.verify(ID);
    expect([code, statesIn(out)]).toMatchObject([6, { statement: 'failed', memory: 'not_checked' }]);
    expect(client.evidence()).toHaveLength(1);
  });

  it('about a log', async () => {
    await client.verify(ID);
    const other = logWorld();
    for (let n = 5; n < 10; n += 1) other.addReceipt(n);
    served.show(other);
    served.lies.set('/log/statements/0', 500);
    const { code } = await client.check();
    expect([code, client.evidence()]).toEqual([6, expect.arrayContaining([world.note(), other.note()])]);
  });
});
