import { spawnSync } from 'node:child_process';
import { cpus, loadavg, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { postgresPrograms } from '../../tools/postgres-programs.ts';

/** The machine in one line; how busy it was already belongs to it. */
export function describeMachine(): string {
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  const busy = loadavg()[0]?.toFixed(1) ?? '?';
  return [
    `${cpus().length} cores ${process.arch} (${modelOf()})`,
    `${gigabytes} GB`,
    `${type()} ${release().replace(/-.*$/, '')}`,
    `Node ${process.version}`,
    `PostgreSQL ${postgresVersion()}`,
    `load average at the start ${busy}.`,
  ].join(', ');
}

/** Node cannot name an ARM processor; lscpu can. */
function modelOf(): string {
  const known = cpus()[0]?.model.trim() ?? '';
  if (known !== '' && known !== 'unknown') return known;
  const said = spawnSync('lscpu', { encoding: 'utf8' }).stdout ?? '';
  return /^Model name:\s*(.+)$/m.exec(said)?.[1] ?? 'unknown model';
}

/** The one that benchmarks start; a server of TEST_DATABASE_URL is somebody else's. */
function postgresVersion(): string {
  if (process.env['TEST_DATABASE_URL'] !== undefined) return 'of TEST_DATABASE_URL';
  const said = spawnSync(join(postgresPrograms(), 'postgres'), ['--version'], { encoding: 'utf8' }).stdout;
  return /\d\S*/.exec(said)?.[0] ?? '?';
}
