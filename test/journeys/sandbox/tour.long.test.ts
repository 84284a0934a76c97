import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect, it } from 'vitest';
import { projectFile } from '../../../tools/project-file.ts';

/** The built program; `npm test` builds it first. */
const PROGRAM = projectFile('dist/bundle/node/assay.js');
const folder = mkdtempSync(join(tmpdir(), 'assay-tour-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('walks through check, purchase, guard, ledger and proof, and leaves nothing behind', async () => {
  const child = spawn(process.execPath, [PROGRAM, 'tour'], {
    env: { PATH: process.env['PATH'], TMPDIR: folder, HOME: folder },
  });
  const [shown, notes, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  expect({ code, notes }).toEqual({ code: 0, notes: '' });
  const steps = shown.split(/^\d of 5 {2}/m);
  expect(steps.slice(1).map((step) => step.split('\n')[0])).toEqual([
    'Ask before you pay',
    'Buy a check',
    'Guard the buyer',
    'Look at the ledger',
    'Trust nobody, not even us',
  ]);
  const [, check = '', purchase = '', guard = '', ledger = '', proof = ''] = steps;
  expect(check).toMatch(
    /\n\$ npx assay check http:\/\/127\.\S+\/swapped-payee --server http:\/\/127\.0\.0\.1:\d+\n✗ SKIP {2}pay_to_mismatch\n/,
  );
  expect(purchase).toMatch(
    /\n200 \{\n {2}"verdict": "pay",\n[\s\S]*"charged_usd": "0\.01",\n {4}"tx": "0x[0-9a-f]{64}"/,
  );
  expect(guard).toMatch(/\nbought 200 http:\/\/127\.\S+\/honest-v2\n.*pay_to_mismatch/);
  expect(ledger).toMatch(/0\.01/);
  expect(proof).toMatch(/\n\$ npx assay receipt sc-[0-9a-f]{16} --verify --server /);
  expect(proof).toContain('WHAT NEXT\n');
  expect(shown).not.toContain('\u001b');
  expect(readdirSync(folder)).toEqual([]);
});
