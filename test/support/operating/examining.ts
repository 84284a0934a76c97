import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readVerifyConfig } from '../../../src/main/config/verify-config.ts';
import { type DoctorParts, storeHandle } from '../../../src/main/doctor/doctor-parts.ts';
import { examine } from '../../../src/main/doctor/examine.ts';
import type { Finding } from '../../../src/main/doctor/finding.ts';

export const SECRET = 'a-secret-of-the-doctor-suite';

export type Findings = (name: string) => Finding;

/** No default of the settings is asked: it would be a server on the internet, or another service on this machine. */
const NOBODY = { PORT: '0', RPC_URL: 'http://127.0.0.1:2', FACILITATOR_URL: 'http://127.0.0.1:2' };

/** All checks with these settings; the finding of one is asked by its name. */
export async function examined(
  environment: NodeJS.ProcessEnv,
  world: Partial<Pick<DoctorParts, 'fetch' | 'now' | 'authorities' | 'version'>> = {},
  checkMs?: number,
): Promise<Findings> {
  const reading = readVerifyConfig({ DATA_DIR: newFolder(), ...NOBODY, ...environment });
  if (reading.kind === 'invalid') throw new Error(reading.problem);
  const { config } = reading;
  const store = storeHandle(config);
  try {
    const parts = { fetch, now: () => new Date(), version: '9.9.9', ...world, config, store: store.open };
    const findings = await examine(parts, checkMs);
    return (name) => {
      const found = findings.find((one) => one.name === name);
      if (found === undefined) throw new Error(`nobody looks at ${name}`);
      return found;
    };
  } finally {
    await store.close();
  }
}

const ROOT = mkdtempSync(join(tmpdir(), 'assay-doctor-'));
process.once('exit', () => rmSync(ROOT, { recursive: true, force: true }));

/** An empty folder for its owner only, which goes with the process. */
export function newFolder(): string {
  return mkdtempSync(join(ROOT, 'data-'));
}
