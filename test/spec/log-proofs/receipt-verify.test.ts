import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { noteKeyText } from '../../../src/core/log/note.ts';
import { receiptId } from '../../../tools/samples/store-receipts.ts';
import { type LogTree, logWorld, policyOf } from '../../support/log/log-world.ts';
import { seededSigner } from '../../support/log/seeded-signer.ts';
import { bundleOf, runBundleOf, type ServedLog, serveWorld } from '../../support/log/serve-world.ts';
import { run } from '../../support/running/command-line.ts';

const ID = receiptId(3);
const PROOF = `/v1/receipts/${ID}/proof`;

let folder: string;
let world: LogTree;
let served: ServedLog;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assay-memory-'));
  world = logWorld();
  for (let n = 0; n < 5; n += 1) world.addReceipt(n);
  served = await serveWorld(world);
  served.lies.set(PROOF, await bundleOf(world, 3));
});
afterEach(async () => {
  await served.close();
  rmSync(folder, { recursive: true });
});

const verify = (...options: string[]) =>
  run(['receipt', ID, '--verify', '--server', served.address, '--memory', folder, ...options], { fetch });
const evidence = () => {
  try {
    return readdirSync(join(folder, 'evidence'));
  } catch {
    return [];
  }
};
/** The state of each step. */
const states = (out: string) =>
  Object.fromEntries(
    JSON.parse(out).steps.map(({ name, state }: { name: string; state: string }) => [name, state]),
  );

describe('assay receipt --verify', () => {
  it('shows a line for each step, and has exit code 0 whatever the verdict is', async () => {
    const { code, out, notes } = await verify();
    expect(notes).toBe('');
    expect(out.split('\n').map((line) => line.replace(/ {2,}/g, '  '))).toEqual([
      ID,
      '  statement  hashes to the entry  ok',
      '  promise  none in the bundle  not checked',
      '  log  entry 3 of 5, checkpoint signed by log.example/log  ok',
      '  witnesses  the policy asks for none  not checked',
      '  memory  first look at this log: remembered from now on  not checked',
      '  rules  version 6 gives pay, price_ok again  ok',
      '',
    ]);
    expect(code).toBe(0);
  });

  it('remembers the checkpoint, and proves that the log grew out of it', async () => {
    await verify();
    for (let n = 5; n < 700; n += 1) world.addReceipt(n);
    served.lies.set(PROOF, await bundleOf(world, 3));
    const { code, out } = await verify();
    expect([code, out]).toEqual([
      0,
      expect.stringContaining('grows out of the checkpoint of 0 s ago (size 5)'),
    ]);
    const { out: again } = await verify();
    expect(again).toContain('(size 700)');
  });

  it('verifies a saved file without a network', async () => {
    const file = join(folder, 'proof.json');
    await verify('--save', file);
    await served.close();
    const offline = await run(['receipt', file, '--verify', '--memory', folder, '--json']);
    expect([offline.code, states(offline.out)]).toEqual([
      0,
      {
        statement: 'ok',
        promise: 'not_checked',
        log: 'ok',
        witnesses: 'not_checked',
        memory: 'ok',
        rules: 'ok',
      },
    ]);
    const empty = join(folder, 'empty');
    expect(await run(['receipt', file, '--verify', '--memory', empty])).toMatchObject({
      code: 2,
      notes: expect.stringContaining('--policy is needed'),
    });
    const policy = join(folder, 'policy');
    writeFileSync(policy, policyOf([world]));
    expect((await run(['receipt', file, '--verify', '--memory', empty, '--policy', policy])).code).toBe(0);
    writeFileSync(policy, policyOf([logWorld({ signers: [seededSigner(world.origin, 1, 'x')] })]));
    expect((await run(['receipt', file, '--verify', '--memory', empty, '--policy', policy])).code).toBe(6);
    served = await serveWorld(world);
  });

  it('follows a crawl receipt through its run', async () => {
    world.addRun();
    const id = '00010203fc';
    served.lies.set(`/v1/receipts/${id}/proof`, await runBundleOf(world, 5));
    const argv = ['--verify', '--server', served.address, '--memory', folder, '--json'];
    const { code, out } = await run(['receipt', id, ...argv], { fetch });
    expect([code, states(out)]).toMatchObject([0, { statement: 'ok', log: 'ok', rules: 'ok' }]);
  });

  it('counts witnesses', async () => {
    const cosigners = ['w1.example', 'w2.example'].map((name) => seededSigner(name, 4));
    const cosigned = logWorld({ cosigners });
    for (let n = 0; n < 5; n += 1) cosigned.addReceipt(n);
    const lines = cosigners.map(({ key }, at) => `witness w${at} ${noteKeyText(key)}\n`).join('');
    served.policy.text = policyOf([world], `${lines}group both 2 w0 w1\nquorum both\n`);
    served.show(cosigned);
    served.lies.set(PROOF, await bundleOf(cosigned, 3));
    expect((await verify()).out).toMatch(/witnesses +2 of 2 \(12 s ago\) +ok/);
    served.show(world);
    served.lies.set(PROOF, await bundleOf(world, 3));
    const missing = await verify('--json');
    expect([missing.code, states(missing.out)]).toMatchObject([3, { witnesses: 'not_yet', log: 'ok' }]);
  });

  it.each<[string, number | string, number, string]>([
    ['a receipt that waits', '{"code":"not_logged_yet"}', 3, 'not in the log yet; try again in 2 s'],
    ['an id that nobody has', 404, 3, 'no receipt has this id'],
    ['a service with a fault', 500, 5, 'answered 500'],
  ])('is not loud about %s', async (_, lie, code, words) => {
    if (typeof lie === 'number') served.lies.set(PROOF, lie);
    const send: typeof fetch = async (url, options) =>
      typeof lie === 'string' && String(url).endsWith('/proof')
        ? new Response(lie, { status: 404, headers: { 'retry-after': '2' } })
        : fetch(url, options);
    const argv = ['--verify', '--server', served.address, '--memory', folder];
    const told = await run(['receipt', ID, ...argv], { fetch: send });
    expect(told).toMatchObject({ code, notes: expect.stringContaining(words) });
    expect(evidence()).toEqual([]);
  });

  it('is not loud about a service that is down', async () => {
    await verify();
    await served.close();
    expect((await verify()).code).toBe(5);
    served = await serveWorld(world);
    served.lies.set(PROOF, await bundleOf(world, 3));
    served.lies.set('/log/checkpoint', 500);
    expect((await verify()).code).toBe(5);
  });

  it('keeps what it remembers to its user', async () => {
    await verify();
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    expect(
      readFileSync(join(folder, readdirSync(folder).find((name) => !name.startsWith('at-')) ?? ''), 'utf8'),
    ).toContain('log-memory/1');
  });
});
