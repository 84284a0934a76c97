import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { receiptId } from '../../../tools/samples/store-receipts.ts';
import { type LogTree, logWorld, ORIGIN, policyOf } from '../../support/log/log-world.ts';
import { seededSigner } from '../../support/log/seeded-signer.ts';
import { bundleOf, type ServedLog, serveWorld } from '../../support/log/serve-world.ts';
import { statesIn } from '../../support/log/verifying-cli.ts';
import { run } from '../../support/running/command-line.ts';

const ID = receiptId(3);
const HOME = 'https://log.example';
const ELSEWHERE = 'https://elsewhere.example';

let memory: string;
const served: ServedLog[] = [];
beforeEach(() => {
  memory = mkdtempSync(join(tmpdir(), 'assay-memory-'));
});
afterEach(async () => {
  rmSync(memory, { recursive: true });
  for (const one of served.splice(0)) await one.close();
});

async function logOf(receipts: number, key?: string): Promise<LogTree> {
  const signers = key === undefined ? {} : { signers: [seededSigner(ORIGIN, 1, key)] };
  const world = logWorld(signers);
  for (let n = 0; n < receipts; n += 1) world.addReceipt(n);
  return world;
}

/** A receipt of this log, asked for at a server of the internet; all packets stay here. */
async function verifyAt(server: string, world: LogTree, ...more: string[]) {
  const here = await serveWorld(world);
  served.push(here);
  here.lies.set(`/v1/receipts/${ID}/proof`, await bundleOf(world, 3));
  const { code, out } = await run(
    ['receipt', ID, '--verify', '--server', server, '--memory', memory, '--json', ...more],
    { fetch: (url, init) => fetch(String(url).replace(server, here.address), init) },
  );
  return { code, memory: statesIn(out)['memory'] };
}

describe('a log at another server than the one in its name', () => {
  it('does not take that name', async () => {
    expect(await verifyAt(ELSEWHERE, await logOf(5, 'another key'))).toEqual({
      code: 0,
      memory: 'not_checked',
    });
    expect(await verifyAt(HOME, await logOf(5))).toEqual({ code: 0, memory: 'not_checked' });
    expect(await verifyAt(HOME, await logOf(6))).toEqual({ code: 0, memory: 'ok' });
  });

  it('is remembered as the one at that server', async () => {
    await verifyAt(ELSEWHERE, await logOf(6, 'another key'));
    expect(await verifyAt(ELSEWHERE, await logOf(7, 'another key'))).toEqual({ code: 0, memory: 'ok' });
    expect(await verifyAt(ELSEWHERE, await logOf(5, 'a third key'))).toMatchObject({ code: 6 });
  });

  it('stays what it was when the log with that name is seen later', async () => {
    await verifyAt(ELSEWHERE, await logOf(6));
    await verifyAt(HOME, await logOf(6));
    expect(await verifyAt(ELSEWHERE, await logOf(7))).toEqual({ code: 0, memory: 'ok' });
  });

  it('is the log that is known by that name when it has its key', async () => {
    await verifyAt(HOME, await logOf(6));
    expect(await verifyAt(ELSEWHERE, await logOf(7))).toEqual({ code: 0, memory: 'ok' });
    expect(await verifyAt(ELSEWHERE, await logOf(5, 'another key'))).toMatchObject({ code: 6 });
  });

  it('is the log of a policy that was given, also later without the policy', async () => {
    const policy = join(memory, 'policy');
    writeFileSync(policy, policyOf([await logOf(0)]));
    await verifyAt(ELSEWHERE, await logOf(5));
    expect((await verifyAt(ELSEWHERE, await logOf(6), '--policy', policy)).code).toBe(0);
    expect(await verifyAt(ELSEWHERE, await logOf(7))).toEqual({ code: 0, memory: 'ok' });
    expect((await verifyAt(ELSEWHERE, await logOf(8), '--policy', policy)).code).toBe(0);
    expect(await verifyAt(ELSEWHERE, await logOf(5, 'another key'))).toMatchObject({ code: 6 });
  });
});
