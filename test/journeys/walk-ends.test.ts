import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { walkThrough } from '../../tools/documents/walk.ts';

/** Its first process ends at once when it is stopped, another one of it writes a file first. */
const SERVER = `#!/bin/sh
( trap '' TERM; until [ -e stopped ]; do sleep 0.05; done; sleep 0.5; echo written > last ) &
trap 'touch stopped; exit' TERM
echo 'listening on'
while :; do sleep 0.05; done
`;

it('a walk has ended when all processes of its server have ended', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-walk-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin/npm'), SERVER, { mode: 0o755 });
  const env = { PATH: `${join(folder, 'bin')}:${process.env['PATH']}` };

  const faults = await walkThrough([{ command: 'npm start', output: null, line: 1 }], {
    folder,
    env,
    instead: [],
  });

  expect(faults).toEqual([]);
  expect(readdirSync(folder)).toContain('last');
});
