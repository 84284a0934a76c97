import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { noteKeyText } from '../../../src/core/log/note.ts';
import { receiptId } from '../../../tools/samples/store-receipts.ts';
import { type LogTree, logWorld } from '../../support/log/log-world.ts';
import { seededSigner } from '../../support/log/seeded-signer.ts';
import { bundleOf, type ServedLog, serveWorld } from '../../support/log/serve-world.ts';
import { statesIn } from '../../support/log/verifying-cli.ts';
import { run } from '../../support/running/command-line.ts';

const ID = receiptId(3);
const SERVER = 'http://assay.internal:4402';
const NAME = 'localhost/log';
const OLD = seededSigner(NAME, 1, 'the first key');
const NEXT = seededSigner(NAME, 1, 'the next key');
const STRANGER = seededSigner(NAME, 1, 'a stranger');

let memory: string;
let world: LogTree;
let served: ServedLog;
beforeEach(async () => {
  memory = mkdtempSync(join(tmpdir(), 'assay-memory-'));
  world = logWorld({ origin: NAME, signers: [OLD] });
  for (let n = 0; n < 5; n += 1) world.addReceipt(n);
  served = await serveWorld(world);
});
afterEach(async () => {
  await served.close();
  rmSync(memory, { recursive: true });
});

/** At a host of a private network; all packets stay here. */
async function verify(tree = world) {
  served.show(tree);
  served.lies.set(`/v1/receipts/${ID}/proof`, await bundleOf(tree, 3));
  const { code, out } = await run(
    ['receipt', ID, '--verify', '--server', SERVER, '--memory', memory, '--json'],
    { fetch: (url, init) => fetch(String(url).replace(SERVER, served.address), init) },
  );
  return { code, memory: statesIn(out)['memory'] };
}

describe('a log without a public name', () => {
  it('stays the one that is remembered when its key is rotated', async () => {
    expect(await verify()).toEqual({ code: 0, memory: 'not_checked' });
    world.add({ kind: 'key', change: 'add', vkey: noteKeyText(NEXT.key) });
    world.keys.signers = [NEXT, OLD];
    expect(await verify()).toEqual({ code: 0, memory: 'ok' });
    world.keys.signers = [NEXT];
    expect(await verify()).toEqual({ code: 0, memory: 'ok' });
  });

  it('is not another one at the same address, whatever keys that names', async () => {
    await verify();
    const other = logWorld({ origin: NAME, signers: [STRANGER] });
    for (let n = 0; n < 6; n += 1) other.addReceipt(n);
    expect((await verify(other)).code).toBe(6);
    served.policy.text = [STRANGER, OLD].map(({ key }) => `log ${noteKeyText(key)}\n`).join('');
    served.policy.text += 'quorum none\n';
    expect((await verify(other)).code).toBe(6);
  });

  describe('in a saved proof', () => {
    /** No packet is sent: there is no fetch. */
    const verifySaved = async (tree: LogTree, bundle?: string, server = SERVER) => {
      const file = join(memory, 'proof.json');
      writeFileSync(file, bundle ?? (await bundleOf(tree, 3)));
      const words = [file, '--verify', '--server', server, '--memory', memory, '--json'];
      const { code, out, notes } = await run(['receipt', ...words]);
      return { code, memory: code === 2 ? notes : statesIn(out)['memory'] };
    };
    const unknown = { code: 2, memory: expect.stringContaining('nothing is remembered of this log') };

    it('is the log that is remembered of the service', async () => {
      await verify();
      expect(await verifySaved(world)).toEqual({ code: 0, memory: 'ok' });
      world.add({ kind: 'key', change: 'add', vkey: noteKeyText(NEXT.key) });
      world.keys.signers = [NEXT, OLD];
      await verify();
      world.keys.signers = [NEXT];
      expect(await verifySaved(world)).toEqual({ code: 0, memory: 'ok' });
    });

    it('is unknown under another key, and where it was never seen', async () => {
      expect(await verifySaved(world)).toEqual(unknown);
      await verify();
      const other = logWorld({ origin: NAME, signers: [STRANGER] });
      for (let n = 0; n < 6; n += 1) other.addReceipt(n);
      expect(await verifySaved(other)).toEqual(unknown);
      expect(await verifySaved(world, undefined, 'http://other.internal:4402')).toEqual(unknown);
    });

    it('is proved wrong when its signature is', async () => {
      await verify();
      const other = logWorld({ origin: NAME, signers: [OLD] });
      for (let n = 0; n < 5; n += 1) other.addReceipt(n === 4 ? 9 : n);
      expect(await verifySaved(other)).toEqual({ code: 6, memory: 'failed' });
    });
  });
});
