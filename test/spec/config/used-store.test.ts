import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { runLogEpoch } from '../../../src/main/commands/log/log-epoch.ts';
import { runLogExport } from '../../../src/main/commands/log/log-export.ts';
import { report } from '../../../src/main/commands/report.ts';
import { operate } from '../../support/running/command-line.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-used-store-'));
afterAll(() => rmSync(folder, { recursive: true }));
const DATA = join(folder, 'mistyped');
const environment = { DATA_DIR: DATA };

it.each<[string, () => ReturnType<typeof operate>]>([
  ['report', () => operate(['report'], (given, output) => report(given, output, { environment }))],
  [
    'log export',
    () =>
      operate(['log export', join(folder, 'files')], (given, output) =>
        runLogExport(given, output, environment),
      ),
  ],
  ['log epoch', () => operate(['log epoch'], (given, output) => runLogEpoch(given, output, environment))],
])('assay %s says that there is no store, and makes none', async (_, typed) => {
  expect(await typed()).toMatchObject({
    code: 1,
    notes: [expect.stringContaining(`there is no store in ${DATA}`)],
  });
  expect(existsSync(DATA)).toBe(false);
});
