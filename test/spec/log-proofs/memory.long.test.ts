import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type NoteSigner, noteKeyText } from '../../../src/core/log/note.ts';
import { receiptId } from '../../../tools/samples/store-receipts.ts';
import { type LogTree, logWorld, ORIGIN, policyOf } from '../../support/log/log-world.ts';
import { seededSigner } from '../../support/log/seeded-signer.ts';
import { bundleOf, type ServedLog, serveWorld } from '../../support/log/serve-world.ts';
import { statesIn, type VerifyingClient, verifyingClient } from '../../support/log/verifying-cli.ts';
import { run } from '../../support/running/command-line.ts';

const ID = receiptId(3);
const PROOF = `/v1/receipts/${ID}/proof`;
const NEXT = seededSigner(ORIGIN, 1, 'the next key');

function grown(
  size: number,
  { other = false, signers }: { other?: boolean; signers?: NoteSigner[] } = {},
): LogTree {
  const tree = logWorld(signers === undefined ? {} : { signers });
  for (let n = 0; n < size; n += 1) tree.addReceipt(other && n === 0 ? 9_999 : n);
  return tree;
}

let world: LogTree;
let served: ServedLog;
let client: VerifyingClient;
const clients: VerifyingClient[] = [];
const newClient = () => {
  const made = verifyingClient(() => served.address);
  clients.push(made);
  return made;
};
beforeEach(async () => {
  world = grown(300);
  served = await serveWorld(world);
  client = newClient();
  await show(world);
  expect((await client.verify(ID)).code).toBe(0);
});
afterEach(async () => {
  await served.close();
  for (const one of clients.splice(0)) one.remove();
});

async function show(next: LogTree, ...later: LogTree[]): Promise<void> {
  served.show(next, ...later);
  served.lies.set(PROOF, await bundleOf(next, 3));
}

describe('the memory of checkpoints finds', () => {
  it.each<[string, () => LogTree]>([
    ['another tree of the same size', () => grown(300, { other: true })],
    ['a tree that grew out of a rewritten one', () => grown(700, { other: true })],
    ['a shrunk log', () => grown(200)],
    ['a shrunk log that was rewritten, too', () => grown(200, { other: true })],
  ])('%s: both notes are kept and printed', async (_, lie) => {
    const before = world.note();
    const next = lie();
    await show(next);
    const { code, out } = await client.verify(ID);
    expect([code, statesIn(out)]).toMatchObject([6, { memory: 'failed', log: 'ok' }]);
    expect(client.evidence()).toEqual(expect.arrayContaining([before, next.note()]));
    // The old checkpoint is still the remembered one: the lie stays visible.
    expect((await client.verify(ID)).code).toBe(6);
    await show(world);
    expect((await client.verify(ID)).code).toBe(0);
  });

  it('a withheld tile', async () => {
    for (let n = 300; n < 600; n += 1) world.addReceipt(n);
    await show(world);
    served.lies.set('/log/tile/0/001', 404);
    served.lies.set('/log/tile/0/001.p/44', 404);
    expect((await client.verify(ID)).code).toBe(6);
  });

  it('a split view, when two clients compare their evidence', async () => {
    const other = newClient();
    const split = grown(300, { other: true });
    await show(split);
    expect((await other.verify(ID)).code).toBe(0);
    await show(world);
    expect((await other.verify(ID)).code).toBe(6);
    // One client's proof alone convinces the other: two notes by one key about one size.
    expect(other.evidence()).toEqual(expect.arrayContaining([world.note(), split.note()]));
  });

  it('nothing wrong with a checkpoint from a cache that is a little older', async () => {
    const before = world.note();
    for (let n = 300; n < 310; n += 1) world.addReceipt(n);
    await show(world);
    await client.verify(ID);
    served.lies.set('/log/checkpoint', before);
    const { code, out } = await client.verify(ID);
    expect([code, statesIn(out)]).toMatchObject([0, { memory: 'ok' }]);
  });
});

describe('a new key', () => {
  it('is learned from an entry under a checkpoint that the old key signed', async () => {
    const [old] = world.keys.signers;
    world.add({ kind: 'key', change: 'add', vkey: noteKeyText(NEXT.key) });
    world.keys.signers = [NEXT, ...(old === undefined ? [] : [old])];
    await show(world);
    expect((await client.verify(ID)).code).toBe(0);
    world.keys.signers = [NEXT];
    world.addReceipt(300);
    await show(world);
    expect((await client.verify(ID)).code).toBe(0);
    // Whoever was away that long has nothing to trust the new key by.
    const policy = newClient();
    expect((await policy.verify(ID)).code).toBe(0);
  });

  it('is not learned from the policy that a service shows', async () => {
    world.keys.signers = [NEXT];
    await show(world);
    const { code, out } = await client.verify(ID);
    expect([code, statesIn(out)]).toMatchObject([6, { log: 'failed', memory: 'failed' }]);
  });
});

describe('a new epoch', () => {
  const epochAfter = (size: number, root: Uint8Array) => {
    const next = logWorld({ origin: `${ORIGIN}/2` });
    next.add({ kind: 'epoch', origin: ORIGIN, size, root });
    for (let n = 1_000; n < 1_005; n += 1) next.addReceipt(n);
    return next;
  };
  const verifyIn = async (next: LogTree) => {
    served.lies.set(`/v1/receipts/${receiptId(1_002)}/proof`, await bundleOf(next, 3));
    return client.verify(receiptId(1_002));
  };

  it('is followed where it begins with what is remembered', async () => {
    const next = epochAfter(300, world.tree.head().root);
    served.show(world, next);
    const { code, out } = await verifyIn(next);
    expect([code, statesIn(out)]).toMatchObject([0, { statement: 'ok', log: 'ok' }]);
    expect((await verifyIn(next)).out).toContain('grows out of');
  });

  it('that lost entries says how many, once', async () => {
    const restored = grown(250);
    const next = epochAfter(250, restored.tree.head().root);
    served.show(restored, next);
    const { code, out } = await verifyIn(next);
    expect([code, out]).toEqual([
      6,
      expect.stringContaining('50 of the entries that it had published are lost'),
    ]);
    expect(client.evidence()).toEqual(expect.arrayContaining([world.note(), next.note()]));
    expect((await verifyIn(next)).code).toBe(0);
  });

  it('that begins with another history is refused', async () => {
    const other = grown(400, { other: true });
    const next = epochAfter(400, other.tree.head().root);
    served.show(other, next);
    const { code, out } = await verifyIn(next);
    expect([code, statesIn(out)]).toMatchObject([6, { log: 'failed', memory: 'failed' }]);
  });
});

it('a service that shows another log under its address is found out', async () => {
  const folder = newClient().folder;
  const near: typeof fetch = (url, options) =>
    fetch(String(url).replace('http://assay.test', served.address), options);
  const argv = ['--verify', '--memory', folder, '--json'];
  expect((await run(['receipt', ID, ...argv], { fetch: near })).code).toBe(0);
  const renamed = logWorld({ origin: 'other.example/log' });
  for (let n = 0; n < 5; n += 1) renamed.addReceipt(n);
  await show(renamed);
  const { code, out } = await run(['receipt', ID, ...argv], { fetch: near });
  expect([code, statesIn(out)]).toMatchObject([6, { memory: 'failed' }]);
});

it('a policy with the logs of several services is one policy for each of them', async () => {
  const other = logWorld({ origin: 'other.example/log' });
  const file = join(client.folder, 'policy');
  writeFileSync(file, policyOf([other, world]));
  const { code, out } = await newClient().verify(ID, '--policy', file);
  expect([code, statesIn(out)]).toMatchObject([0, { log: 'ok', statement: 'ok' }]);
});

it('a folder that cannot be written changes nothing about the result', async () => {
  const file = join(client.folder, 'a-file');
  writeFileSync(file, '');
  const argv = ['--verify', '--server', served.address, '--memory', join(client.folder, 'new'), '--json'];
  expect((await run(['receipt', ID, ...argv], { fetch })).notes).toBe('');
  const blocked = [...argv.slice(0, -2), join(file, 'below'), '--json'];
  const told = await run(['receipt', ID, ...blocked], { fetch });
  expect([told.code, told.notes]).toEqual([0, expect.stringContaining('nothing can be remembered')]);
});

it('a policy with a weaker quorum does not replace the one that was seen first', async () => {
  const strict = newClient();
  const witness = seededSigner('w1.example', 4);
  const cosigned = logWorld({ cosigners: [witness] });
  for (let n = 0; n < 5; n += 1) cosigned.addReceipt(n);
  served.policy.text = policyOf([world], `witness w ${noteKeyText(witness.key)}\nquorum w\n`);
  await show(cosigned);
  expect((await strict.verify(ID)).code).toBe(0);
  served.policy.text = null;
  await show(grown(5));
  const { code, out } = await strict.verify(ID);
  expect([code, statesIn(out)]).toMatchObject([3, { witnesses: 'not_yet' }]);
});
