import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from 'vitest';
import { projectFile } from '../../../tools/project-file.ts';

/** The built program; `npm test` builds it first. */
const ASSAY = projectFile('dist/bundle/node/assay.js');
const folder = mkdtempSync(join(tmpdir(), 'assay-sandbox-filled-'));
const env = { PATH: process.env['PATH'], HOME: folder, XDG_CONFIG_HOME: folder, TMPDIR: folder };
afterAll(() => rmSync(folder, { recursive: true }));

describe('a sandbox as it starts by default', () => {
  it('ends without a complaint when it is stopped while it is being filled', async () => {
    const child = spawn(process.execPath, [ASSAY, 'sandbox', '--port', '0'], { env });
    const notes = { text: '' };
    child.stderr.setEncoding('utf8').on('data', (chunk) => {
      notes.text += chunk;
    });
    child.stdout.resume();
    await expect.poll(() => notes.text, { timeout: 120_000 }).toContain('starting run');
    child.kill('SIGINT');
    expect([await once(child, 'exit'), notes.text]).toEqual([
      [0, null],
      expect.not.stringContaining('closed'),
    ]);
  });

  it('has something on every page, and its last five lines work', async () => {
    const child = spawn(process.execPath, [ASSAY, 'sandbox', '--port', '0'], { env });
    const said = { text: '' };
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      said.text += chunk;
    });
    await expect.poll(() => said.text, { timeout: 120_000 }).toMatch(/START HERE\n(?:.+\n){5}$/);
    const guide = said.text;
    const steps = guide.trimEnd().split('\n').slice(-5);
    const pages = steps.flatMap((step) => /^open +(\S+)/.exec(step)?.[1] ?? []);
    const commands = steps.flatMap((step) => /^run +npx assay (.+?) {2}/.exec(step)?.[1] ?? []);
    expect([pages.length, commands.length]).toEqual([3, 2]);
    const [front = '', skips = '', checkpoint = ''] = pages;
    const textOf = async (page: string) => (await fetch(page)).text();
    expect(await textOf(front)).toContain('of 19 listed endpoints to skip');
    // The example of a check is one that may be checked here.
    expect(await textOf(front)).toMatch(/endpoint-spot-check\?url=http:\/\/127\.\S+\/currency&amp;/);
    expect(await textOf(skips)).toContain('/swapped-payee');
    await expect.poll(() => textOf(checkpoint)).toMatch(/^localhost\/log\n\d+\n/);
    const answers = await Promise.all(
      commands.map((command) =>
        text(spawn(process.execPath, [ASSAY, ...command.split(' ')], { env }).stdout),
      ),
    );
    expect(answers).toEqual([
      expect.stringContaining('SKIP  pay_to_mismatch'),
      expect.stringMatching(/sandbox-hash .*3\/3[\s\S]*sandbox-junk .*0\/3/),
    ]);
    expect(JSON.parse(await textOf(new URL('/v1/snapshot', front).href))).toMatchObject({ size: 19 });
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });
});
