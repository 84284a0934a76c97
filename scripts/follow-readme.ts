/** Does what the README says, in a fresh clone and with nothing that is not printed there: from the install to a guarded purchase. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { blocksOf, stepsOf } from '../tools/documents/blocks.ts';
import { walkThrough } from '../tools/documents/walk.ts';

const PROJECT = fileURLToPath(new URL('../../', import.meta.url));
/** Settings of ours would make the walk another one than the reader's. */
const OWN = /^(ASSAY_|PORT$|HOST$|DATA_DIR$|DATABASE_URL$|BASE_URL$|PAY_TO$|SECRET$)/;

const folder = mkdtempSync(join(tmpdir(), 'assay-readme-'));
try {
  execFileSync('git', ['clone', '--quiet', PROJECT, folder]);
  const steps = blocksOf(readFileSync(join(folder, 'README.md'), 'utf8'))
    .filter(({ language, notRun }) => ['sh', 'console'].includes(language) && notRun === null)
    .flatMap(stepsOf);
  // npm finds its registry in the environment on some machines, and complains about settings of the machine on others.
  const settings = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined || OWN.test(name) ? [] : [[name, value]],
  );
  const env = { ...Object.fromEntries(settings), npm_config_loglevel: 'error' };
  const faults = await walkThrough(steps, { folder, env, instead: [] });
  for (const fault of faults) process.stderr.write(`README.md, ${fault}\n\n`);
  process.stdout.write(
    `README.md: ${steps.length - faults.length} of ${steps.length} commands did what is printed\n`,
  );
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
}
