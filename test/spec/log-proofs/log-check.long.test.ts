import { hash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { statementOfLive } from '../../../src/core/statement/stated-live.ts';
import type { View } from '../../../src/core/vantage/view.ts';
import { ENTRY, paywall } from '../../../tools/samples/challenge.ts';
import { NOON, receiptId } from '../../../tools/samples/store-receipts.ts';
import { type LogTree, liveStatement, logWorld, ORIGIN, policyOf } from '../../support/log/log-world.ts';
import { seededSigner } from '../../support/log/seeded-signer.ts';
import { type ServedLog, serveWorld } from '../../support/log/serve-world.ts';
import { withFlippedBit } from '../../support/log/static-log.ts';
import { type VerifyingClient, verifyingClient } from '../../support/log/verifying-cli.ts';
import { receiptOf, unclaimed } from '../../support/random-checks.ts';
import { run } from '../../support/running/command-line.ts';
import { viewOf } from '../../support/vantage/views.ts';

const sha256 = (text: string) => hash('sha256', text, 'buffer');
const STUB = JSON.stringify({ assay: 'withdrawn/1', because: 'secret' });

function grown(size: number, other = false): LogTree {
  const tree = logWorld();
  tree.addRules();
  tree.addRun();
  const first = tree.size();
  for (let n = first; n < size; n += 1) tree.addReceipt(other && n === first ? 9_999 : n);
  return tree;
}

function statementWith(view: View): string {
  const [check] = unclaimed(paywall([ENTRY]));
  return statementOfLive(receiptOf({ ...check, views: { needed: 1, views: [view] } }, true, 'live')) ?? '';
}

let world: LogTree;
let served: ServedLog;
let client: VerifyingClient;
beforeEach(async () => {
  world = grown(300);
  served = await serveWorld(world);
  served.policy.text = policyOf([world]);
  client = verifyingClient(() => served.address);
});
afterEach(async () => {
  await served.close();
  client.remove();
});

const kinds = (out: string) => JSON.parse(out).faults.map(({ kind }: { kind: string }) => kind);

describe('assay log check', () => {
  it('reads every entry and judges every statement again', async () => {
    const { code, out } = await client.check();
    expect([code, JSON.parse(out)]).toEqual([
      0,
      {
        sound: true,
        from: 0,
        trees: [{ origin: ORIGIN, size: 300 }],
        counts: {
          entries: 301,
          receipts: 297,
          judged: 297,
          not_judged: 0,
          withdrawn: 0,
          retired: 0,
          runs: 1,
          rules: 3,
          others: 0,
        },
        uncosigned: [],
        faults: [],
        evidence: [],
      },
    ]);
  });

  it('says so in words', async () => {
    const told = await run(['log check', `${served.address}/log`, '--memory', client.folder], { fetch });
    expect(told.out).toBe(
      [
        'log.example/log: 300 entries, tree rebuilt from them',
        '  receipts     297: 297 judged again, 0 not judged, 0 withdrawn',
        '  runs         1',
        '  rules files  3',
        'sound',
        '',
      ].join('\n'),
    );
  });

  it('finds one flipped bit in any file of the log', async () => {
    await client.check();
    const files = [...served.files].filter((path) => path !== '/log/policy');
    expect(files.length).toBeGreaterThanOrEqual(14);
    for (const [at, path] of files.entries()) {
      const honest = new Uint8Array(await (await fetch(`${served.address}${path}`)).arrayBuffer());
      served.lies.set(path, withFlippedBit(honest, at + 1));
      const { code } = await client.check();
      expect([path, code]).toEqual([path, 6]);
      served.lies.delete(path);
    }
    expect((await client.check()).code).toBe(0);
  });

  it('finds any file that is withheld', async () => {
    await client.check();
    const files = [...served.files].filter((path) => path !== '/log/policy');
    for (const path of files) {
      served.lies.set(path, 404);
      expect([path, (await client.check()).code]).toEqual([path, 6]);
      served.lies.delete(path);
    }
  });

  it.each<[string, () => LogTree, string]>([
    ['the same size with another root', () => grown(300, true), 'history_rewritten'],
    ['growth out of a rewritten tree', () => grown(700, true), 'history_rewritten'],
    ['fewer entries', () => grown(200), 'history_rewritten'],
  ])('remembers, and finds %s', async (_, lie, kind) => {
    const before = world.note();
    await client.check();
    const next = lie();
    served.show(next);
    const { code, out } = await client.check();
    expect([code, kinds(out)]).toEqual([6, expect.arrayContaining([kind])]);
    expect(client.evidence()).toEqual(expect.arrayContaining([before, next.note()]));
  });

  it('compares with a checkpoint that somebody kept', async () => {
    const file = join(client.folder, 'checkpoint');
    writeFileSync(file, world.note());
    expect((await client.check('--since', file)).code).toBe(0);
    writeFileSync(file, grown(250, true).note());
    expect((await client.check('--since', file)).code).toBe(6);
    writeFileSync(file, logWorld({ signers: [seededSigner(ORIGIN, 1, 'x')] }).note());
    expect((await client.check('--since', file)).code).toBe(2);
    expect((await client.check('--since', 'nowhere')).code).toBe(2);
  });

  it('fetches only newer statements with a size, and does not call the older ones sound', async () => {
    const { out } = await client.check('--since', '260');
    expect(JSON.parse(out)).toMatchObject({ sound: true, from: 260 });
    const asked = [`${served.address}/log`, '--since', '260', '--memory', client.folder];
    const words = await run(['log check', ...asked], { fetch });
    expect(words.out).toContain('sound; of the statements, those from entry 260 on were read');
    expect([...served.files].filter((path) => path.startsWith('/log/statements/'))).toEqual([
      '/log/statements/1',
    ]);
  });

  it.each<[string, (tree: LogTree) => void, number, string[]]>([
    ['a statement is gone', (tree) => tree.lines.splice(7, 1, 'null'), 6, ['statement_withheld']],
    ['a withdrawal is quiet', (tree) => tree.lines.splice(7, 1, STUB), 6, ['statement_withheld']],
    [
      'a withdrawal is in the log',
      (tree) => {
        tree.lines.splice(7, 1, STUB);
        tree.add({
          kind: 'withdrawal',
          id: receiptId(7),
          sha256: sha256(liveStatement(7)),
          because: 'legal',
        });
      },
      0,
      [],
    ],
    [
      'a statement is another one',
      (tree) => tree.lines.splice(7, 1, liveStatement(8)),
      6,
      ['statement_differs'],
    ],
    [
      'a verdict does not follow',
      (tree) => tree.addReceipt(900, liveStatement(900).replace('"verdict":"pay"', '"verdict":"skip"')),
      6,
      ['verdict_differs'],
    ],
    [
      'what others are said to have seen is not signed by them',
      (tree) => {
        const statement = statementWith(viewOf({ kind: 'timed_out' }, NOON));
        tree.add({ kind: 'receipt', id: 'sc-00010203fcfdfeff', sha256: sha256(statement) }, statement);
      },
      6,
      ['views_unproved'],
    ],
    ['an entry is nothing we know', (tree) => tree.addText('assay nothing v1\n'), 6, ['entry_unreadable']],
    [
      'the rules are others than the installed ones',
      (tree) => tree.add({ kind: 'rules', version: '6', sha256: sha256('x') }),
      6,
      ['rules_withheld', 'rules_differ'],
    ],
  ])('when %s', async (_, change, code, faults) => {
    change(world);
    const told = await client.check();
    expect([told.code, kinds(told.out)]).toEqual([code, faults]);
  });

  it('finds a run whose tree is not the one in the log', async () => {
    world.runs.get('a-run')?.world.addReceipt(1);
    const { code, out } = await client.check();
    expect([code, kinds(out)]).toEqual([6, ['run_tree_differs']]);
  });

  it.each<[string, () => void, number]>([
    ['a stranger signed', () => Object.assign(world.keys, { signers: [seededSigner(ORIGIN, 1, 'x')] }), 6],
    ['the service has a fault', () => served.lies.set('/log/tile/0/000', 500), 5],
    ['there is no log', () => served.lies.set('/log/policy', 404), 5],
  ])('when %s', async (_, change, code) => {
    change();
    expect((await client.check()).code).toBe(code);
  });

  it.each<[string, number, boolean, number]>([
    ['begins where the old one ended', 300, false, 0],
    ['begins with another history', 300, true, 6],
    ['leaves out entries that the old one still shows', 250, false, 6],
  ])('audits a later epoch, which %s', async (_, size, other, code) => {
    const { root } = grown(size, other).tree.head();
    const next = logWorld({ origin: `${ORIGIN}/2` });
    next.add({ kind: 'epoch', origin: ORIGIN, size, root });
    next.addReceipt(5_000);
    served.show(world, next);
    served.policy.text = policyOf([world, next]);
    const told = await client.check();
    expect([told.code, kinds(told.out)]).toEqual([code, code === 0 ? [] : ['epoch_differs']]);
  });

  it('is not loud about a service that is down', async () => {
    await served.close();
    expect(await client.check()).toMatchObject({
      code: 5,
      notes: expect.stringContaining('cannot be reached'),
    });
    served = await serveWorld(world);
  });
});

it('assay log key prints the policy', async () => {
  const { code, out } = await run(['log key', served.address], { fetch });
  expect([code, out]).toEqual([0, policyOf([world])]);
});
