import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { createLog, type Log, type LogOptions } from './log.ts';

const clean: (() => void)[] = [];
afterEach(() => {
  for (const step of clean.splice(0)) step();
});

/** What is in the file once the last line has been flushed. */
async function written(options: LogOptions, say: (log: Log) => void): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-log-'));
  const file = join(folder, 'log');
  const fd = openSync(file, 'a');
  // The descriptor stays open: the log may flush to it until the process ends.
  clean.push(() => rmSync(folder, { recursive: true }));
  say(createLog('info', { ...options, fd }));
  await expect.poll(() => readFileSync(file, 'utf8'), { timeout: 5_000 }).not.toBe('');
  return readFileSync(file, 'utf8');
}

it('writes JSON lines where no person reads along, without what is not known', async () => {
  const text = await written({}, (log) => {
    log.info({ id: 'a1', tier: undefined, ms: 0.4 }, 'request');
    log.warn('late');
  });
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const time = expect.any(Number);
  expect(lines).toEqual([
    { level: 30, time, id: 'a1', ms: 0.4, msg: 'request' },
    { level: 40, time, msg: 'late' },
  ]);
});

it('writes readable lines when told to', async () => {
  const text = await written({ format: 'text' }, (log) => log.error({ id: 'a1' }, 'fault'));
  expect(text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ error fault id=a1\n$/);
});
