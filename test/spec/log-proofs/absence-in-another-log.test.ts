import { hash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { receiptId } from '../../../tools/samples/store-receipts.ts';
import { type LogTree, liveStatement, logWorld, ORIGIN } from '../../support/log/log-world.ts';
import { bundleOf, type ServedLog, serveWorld } from '../../support/log/serve-world.ts';
import { type VerifyingClient, verifyingClient } from '../../support/log/verifying-cli.ts';
import { run } from '../../support/running/command-line.ts';

const ID = receiptId(3);
const PROOF = `/v1/receipts/${ID}/proof`;

function grown(size: number, { other = false, origin = ORIGIN } = {}): LogTree {
  const tree = logWorld({ origin });
  for (let n = 0; n < size; n += 1) tree.addReceipt(other && n === 0 ? 9_999 : n);
  return tree;
}
const withdraw = (tree: LogTree) => {
  const sha256 = hash('sha256', liveStatement(3), 'buffer');
  tree.add({ kind: 'withdrawal', id: ID, sha256, because: 'secret' });
  return tree;
};
const epochAfter = ({ size, root }: { size: number; root: Uint8Array }): LogTree => {
  const next = logWorld({ origin: `${ORIGIN}/2` });
  next.add({ kind: 'epoch', origin: ORIGIN, size, root });
  next.addReceipt(2_000);
  return next;
};

let world: LogTree;
let served: ServedLog;
let client: VerifyingClient;
beforeEach(async () => {
  world = grown(5);
  served = await serveWorld(world);
  client = verifyingClient(() => served.address);
  served.lies.set(PROOF, await bundleOf(world, 3));
  await client.verify(ID);
});
afterEach(async () => {
  await served.close();
  client.remove();
});

async function withdrawnIn(...worlds: LogTree[]) {
  served.show(...worlds);
  served.lies.set(PROOF, 410);
  const { code } = await client.verify(ID);
  return { code, evidence: client.evidence() };
}
async function learn(...worlds: LogTree[]): Promise<void> {
  served.show(...worlds);
  const [last] = worlds.slice(-1);
  if (last === undefined) return;
  served.lies.set(`/v1/receipts/${receiptId(2_000)}/proof`, await bundleOf(last, 1));
  await client.verify(receiptId(2_000));
}

describe('a receipt that a service calls withdrawn', () => {
  it('is, where the log that is remembered has grown by that entry', async () => {
    expect(await withdrawnIn(withdraw(world))).toEqual({ code: 3, evidence: [] });
  });

  it('is not, where only another history of the log has the entry', async () => {
    const before = world.note();
    const other = withdraw(grown(5, { other: true }));
    const { code, evidence } = await withdrawnIn(other);
    expect([code, evidence]).toEqual([6, expect.arrayContaining([before, other.note()])]);
  });

  it('is not, where the service shows another log under its address', async () => {
    const near: typeof fetch = (url, init) =>
      fetch(String(url).replace('https://log.example', served.address), init);
    const verify = () =>
      run(['receipt', ID, '--verify', '--server', 'https://log.example', '--memory', client.folder], {
        fetch: near,
      });
    expect((await verify()).code).toBe(0);
    served.show(withdraw(grown(5, { origin: 'other.example/log' })));
    served.lies.set(PROOF, 410);
    expect((await verify()).code).toBe(6);
  });

  it('is, after an epoch that lost entries, as was told when it began', async () => {
    const restored = grown(4);
    const next = epochAfter(restored.tree.head());
    await learn(restored, next);
    expect((await withdrawnIn(restored, withdraw(next))).code).toBe(3);
  });

  it('is not, where an epoch that has ended is another one now', async () => {
    const next = epochAfter(world.tree.head());
    await learn(world, next);
    expect((await withdrawnIn(withdraw(grown(5, { other: true })), next)).code).toBe(6);
    expect((await withdrawnIn(withdraw(world), next)).code).toBe(6);
    served.lies.set('/log/checkpoint', 404);
    expect((await withdrawnIn(world, withdraw(next))).code).toBe(6);
  });
});
