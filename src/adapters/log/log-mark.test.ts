import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fileLogMark } from './log-mark.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-mark-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('containers that share a folder and have the same process id do not meet in a draft', async () => {
  // What the process id alone would name: another container is at work on it.
  const draft = join(folder, `log-mark.${process.pid}`);
  await mkdir(draft);
  await fileLogMark(folder).keep('a checkpoint');
  expect(readFileSync(join(folder, 'log-mark'), 'utf8')).toBe('a checkpoint');
  await rm(draft, { recursive: true });
  expect(readdirSync(folder)).toEqual(['log-mark']);
});

it('many who keep a mark at the same time leave one whole mark and no draft', async () => {
  const texts = Array.from({ length: 20 }, (_, n) => `${n}`.repeat(1_000 + n));
  await Promise.all(texts.map((text) => fileLogMark(folder).keep(text)));
  expect(texts).toContain(await fileLogMark(folder).read());
  expect(readdirSync(folder)).toEqual(['log-mark']);
});
