import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectFile } from '../../tools/project-file.ts';
import { needTools, output, type Trial } from './trial.ts';

const FOLDER = 'deploy/systemd';
/** Of systemd-analyze security: 0 is shut, 10 is open. */
const EXPOSURE_MAX = 15;

/** What systemd itself says of the units; without systemd as the first process none can be started. */
export async function tryUnits(trial: Trial): Promise<void> {
  needTools({ 'systemd-analyze': 'systemd' });
  const folder = mkdtempSync(join(tmpdir(), 'assay-units-'));
  try {
    const names = readdirSync(projectFile(FOLDER));
    // What they start need not be installed here.
    const program = join(folder, 'program');
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
    const units = join(folder, 'units');
    mkdirSync(units);
    for (const name of names) {
      const unit = readFileSync(projectFile(join(FOLDER, name)), 'utf8');
      writeFileSync(join(units, name), unit.replace('ExecStart=/usr/bin/node', `ExecStart=${program}`));
    }
    copyFileSync(join(units, 'assay.service'), join(units, 'assay@.service'));
    const started = [...names.map((name) => name.replace('@.', '@1.')), 'assay@4403.service'];
    for (const name of started) {
      await output('systemd-analyze', ['verify', '--man=no', name], { SYSTEMD_UNIT_PATH: `${units}:` });
      trial.check(`systemd accepts ${name}`, true);
    }
    for (const name of names.filter((one) => one.endsWith('.service'))) {
      const said = await output('systemd-analyze', [
        ...['security', '--no-pager', '--offline=true', `--threshold=${EXPOSURE_MAX}`],
        join(units, name),
      ]);
      trial.measured(`exposure of ${name}`, /level for \S+ ([\d.]+ \w+)/.exec(said)?.[1] ?? 'unknown');
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}
