import { hash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { encodeBase64 } from '../../../src/core/log/base64.ts';
import { entryText } from '../../../src/core/log/entry.ts';
import { receiptId } from '../../../tools/samples/store-receipts.ts';
import {
  crawlStatement,
  type LogTree,
  liveStatement,
  logWorld,
  ORIGIN,
} from '../../support/log/log-world.ts';
import { type ServedLog, serveWorld } from '../../support/log/serve-world.ts';
import { type VerifyingClient, verifyingClient } from '../../support/log/verifying-cli.ts';

const sha256 = (text: string) => hash('sha256', text, 'buffer');
const salted = (statement: string) => statement.replace(/"salt":"..../, '"salt":"0000');
const receiptEntry = (id: string, statement: string) =>
  entryText({ kind: 'receipt', id, sha256: sha256(statement) });

let world: LogTree;
let served: ServedLog;
let client: VerifyingClient;
beforeEach(async () => {
  world = logWorld();
  for (let n = 0; n < 5; n += 1) world.addReceipt(n);
  served = await serveWorld(world);
  client = verifyingClient(() => served.address);
});
afterEach(async () => {
  await served.close();
  client.remove();
});

/** A run with these statements. */
function addRun(statements: readonly string[]): string {
  const run = logWorld({ origin: `${ORIGIN}/run/a-run`, signers: world.keys.signers });
  for (const one of statements) run.addText(receiptEntry('-', one), one);
  const { size, root } = run.tree.head();
  const statement = JSON.stringify({
    assay: 'run/1',
    id: 'a-run',
    root: encodeBase64(root),
    rules: '6',
    size,
  });
  world.runs.set('a-run', { world: run, statement });
  const entry = entryText({ kind: 'run', run: 'a-run', sha256: sha256(statement) });
  world.addText(entry);
  return entry;
}

describe('assay log check finds that the log was used to change', () => {
  it('a receipt, by a second entry with its id', async () => {
    const changed = salted(liveStatement(3));
    world.addReceipt(3, changed);
    const { code, out } = await client.check();
    expect([code, JSON.parse(out).faults]).toEqual([
      6,
      [{ kind: 'receipt_twice', where: `${receiptId(3)}: ${ORIGIN} 3 and ${ORIGIN} 5` }],
    ]);
    expect(client.evidence()).toEqual(
      expect.arrayContaining([
        receiptEntry(receiptId(3), liveStatement(3)),
        receiptEntry(receiptId(3), changed),
        world.note(),
      ]),
    );
  });

  it('a receipt, also in a later epoch and with a size that leaves statements out', async () => {
    const next = logWorld({ origin: `${ORIGIN}/2` });
    next.add({ kind: 'epoch', origin: ORIGIN, ...world.tree.head() });
    next.addReceipt(3, salted(liveStatement(3)));
    served.show(world, next);
    const { code, out } = await client.check('--since', '100');
    expect([code, JSON.parse(out).faults]).toEqual([
      6,
      [{ kind: 'receipt_twice', where: `${receiptId(3)}: ${ORIGIN} 3 and ${ORIGIN}/2 1` }],
    ]);
  });

  it('a receipt of a run, inside of its tree', async () => {
    const statement = crawlStatement();
    const { id } = JSON.parse(statement);
    addRun([statement, salted(statement)]);
    const { code, out } = await client.check();
    expect([code, JSON.parse(out).faults]).toEqual([
      6,
      [{ kind: 'receipt_twice', where: `${id}: ${ORIGIN}/run/a-run 0 and ${ORIGIN}/run/a-run 1` }],
    ]);
    expect(client.evidence()).toEqual(
      expect.arrayContaining([receiptEntry('-', statement), receiptEntry('-', salted(statement))]),
    );
  });

  it('a run', async () => {
    const entries = [addRun([crawlStatement()]), addRun([salted(crawlStatement())])];
    const { code, out } = await client.check();
    expect([code, JSON.parse(out).faults]).toEqual([
      6,
      expect.arrayContaining([{ kind: 'run_twice', where: `a-run: ${ORIGIN} 5 and ${ORIGIN} 6` }]),
    ]);
    expect(client.evidence()).toEqual(expect.arrayContaining(entries));
  });
});

it('assay log check says nothing about the same statement twice: nothing was changed', async () => {
  world.addReceipt(3);
  world.addText(addRun([crawlStatement(), crawlStatement()]));
  expect((await client.check()).code).toBe(0);
});
