import { existsSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isShared } from '../../adapters/store/sqlite/private-file.ts';
import { type Check, type DoctorParts, storeFile } from './doctor-parts.ts';
import { failure, ok, type Verdict, warning } from './finding.ts';

/** Looked at before the store is opened: opening it makes its files private. */
export const MODES_CHECK: Check = { name: 'files', look: lookAtModes };
export const DISK_CHECK: Check = { name: 'disk', look: lookAtDisk };

async function lookAtModes({ config }: DoctorParts): Promise<Verdict> {
  const { dataDir } = config;
  if (!existsSync(dataDir))
    return warning(`DATA_DIR ${dataDir} is not there yet`, 'the first start makes it');
  const file = storeFile(config);
  const paths = [join(dataDir, 'secret'), join(dataDir, 'log-mark'), file, `${file}-wal`, dataDir];
  const shared = paths.filter((path) => isShared(path)).map((path) => `${path} (${modeOf(path)})`);
  const secret = join(dataDir, 'secret');
  const fix = `chmod -R go= ${dataDir}`;
  if (isShared(secret) && isShared(dataDir)) {
    return failure(`other users of this machine can read the secret: ${shared.join(', ')}`, fix);
  }
  if (shared.length > 0)
    return warning(`other users of this machine have access to ${shared.join(', ')}`, fix);
  return ok(`${dataDir} and its files are for their owner only`);
}

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}

const WARN_SHARE = 0.1;
const FAIL_SHARE = 0.02;
const FAIL_BYTES = 200_000_000;

async function lookAtDisk({ config }: DoctorParts): Promise<Verdict> {
  const folder = existsSync(config.dataDir) ? config.dataDir : '.';
  const { bavail, blocks, bsize } = statfsSync(folder);
  return diskVerdict(bavail * bsize, blocks * bsize);
}

export function diskVerdict(freeBytes: number, allBytes: number): Verdict {
  const share = allBytes === 0 ? 0 : freeBytes / allBytes;
  const says = `${(freeBytes / 1e9).toFixed(1)} GB free, ${Math.floor(share * 100)} %`;
  const fix = 'free space or enlarge the disk of DATA_DIR: without space nothing can be written';
  if (share < FAIL_SHARE || freeBytes < FAIL_BYTES) return failure(says, fix);
  return share < WARN_SHARE ? warning(says, fix) : ok(says);
}
