import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { auditLog } from '../../../src/core/log/audit.ts';
import type { TreeHead } from '../../../src/core/log/checkpoint.ts';
import { parsePolicy } from '../../../src/core/log/policy.ts';
import { policyText } from '../../../src/flows/log/policy-text.ts';
import { openStore } from '../../../src/main/build/open-store.ts';
import { runLogExport } from '../../../src/main/commands/log/log-export.ts';
import { entriesTo, testKeeper } from '../../support/log/test-log.ts';
import { operate } from '../../support/running/command-line.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-export-'));
afterAll(() => rmSync(folder, { recursive: true }));
const [dataDir, files] = [join(folder, 'data'), join(folder, 'log')];

/** Grows the log of the store. Answers its policy. */
async function grow(count: number, from: number): Promise<string> {
  const store = await openStore({ dataDir, databaseUrl: null, databasePool: 1, databaseWaitSeconds: 0 });
  try {
    const { keeper } = testKeeper(store.transparencyLog);
    await keeper.open();
    await store.transparencyLog.add(entriesTo(count, from));
    await keeper.round();
    return await policyText('http://x.example/log', {
      log: store.transparencyLog,
      witnesses: 'quorum none',
      promiseKey: keeper.promiseKey(),
    });
  } finally {
    await store.close();
  }
}

async function audit(text: string, old?: TreeHead) {
  const policy = parsePolicy(text);
  if ('fault' in policy) throw new Error(policy.fault);
  const fetchFile = async (path: string) => {
    try {
      return readFileSync(join(files, path));
    } catch {
      return null;
    }
  };
  return auditLog({
    fetchFile,
    policy,
    filesAtOnce: 1,
    sizeMax: 10_000,
    ...(old === undefined ? {} : { old }),
  });
}

it('assay log export writes files that pass an audit, and only what is new', async () => {
  mkdirSync(dataDir);
  const typed = () =>
    operate(['log export', files], (given, output) => runLogExport(given, output, { DATA_DIR: dataDir }));
  const policy = await grow(600, 0);
  // Three files of rules, 3 tiles of leaves, one above them, 3 bundles and their statements, the checkpoint.
  expect(await typed()).toMatchObject({ code: 0, notes: [`14 files written to ${files}`] });
  const { faults, head } = await audit(policy);
  expect([faults, head?.size]).toEqual([[], 600]);
  if (head === null) throw new Error('there is a head');
  await grow(300, 600);
  // Two tiles of leaves, bundles and files of statements, one tile above them, the checkpoint.
  expect((await typed()).notes).toEqual([`8 files written to ${files}`]);
  expect(await audit(policy, head)).toMatchObject({ faults: [], head: { size: 900 } });
  expect((await typed()).notes).toEqual([`0 files written to ${files}`]);
  const names = readdirSync(files, { recursive: true, encoding: 'utf8' });
  expect(names.filter((name) => name.includes('.drafts') || name.endsWith('.part'))).toEqual([]);
});

it('needs a folder', async () => {
  expect((await operate(['log export'], runLogExport)).code).toBe(2);
});
