import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSqlite } from '../../../src/adapters/store/sqlite/open.ts';
import { openCheckpoint } from '../../../src/core/log/open-checkpoint.ts';
import { parsePolicy } from '../../../src/core/log/policy.ts';
import { projectFile } from '../../../tools/project-file.ts';
import { entriesTo } from '../../support/log/test-log.ts';

/** The built programs. `npm test` builds them first. */
const ASSAY = projectFile('dist/bundle/node/assay.js');
const folder = mkdtempSync(join(tmpdir(), 'assay-witness-'));
const DATA_DIR = join(folder, 'data');
const DATABASE = join(DATA_DIR, 'assay.db');
const POLICY = join(folder, 'policy');
const LOGS = join(folder, 'logs');
const RULES_FILES = readdirSync('rules').length;
const running: ChildProcess[] = [];

afterAll(async () => {
  for (const child of running) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

async function start(argv: readonly string[], settings: Record<string, string> = {}) {
  const child = spawn(process.execPath, [ASSAY, ...argv], {
    env: { PATH: process.env['PATH'], DATA_DIR, PORT: '0', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: folder,
  });
  running.push(child);
  const exited = once(child, 'exit').then(([code]) => code);
  const printed = once(createInterface({ input: child.stdout }), 'line').then(([line]) => String(line));
  const [said] = await once(createInterface({ input: child.stderr }), 'line');
  const address = /http:\/\/127\.0\.0\.1:\d+/.exec(String(said))?.[0] ?? '';
  const stop = async () => {
    child.kill('SIGTERM');
    return exited;
  };
  return { address, stop, said: String(said), printed, exited };
}

type Program = Awaited<ReturnType<typeof start>>;
const serve = (settings: Record<string, string> = {}) => start(['serve'], settings);
const witness = (port = '0') =>
  start([
    ...['witness', '--policy', LOGS, '--key', join(folder, 'key'), '--name', 'witness.example/w1'],
    ...['--listen', `127.0.0.1:${port}`, '--data', join(folder, 'witness')],
  ]);

/** A service limits the reads of one address. */
const SELDOM = { interval: 250 };

/** Entries that another process of the same service has added. */
async function addEntries(count: number, from: number) {
  const store = await openSqlite({ file: DATABASE });
  await store.transparencyLog.add(entriesTo(count, from));
  await store.close();
}

async function textOf({ address }: Program, path: string): Promise<string> {
  return (await fetch(address + path)).text();
}

/** The size of the checkpoint without the entries of the rules files, and whether it is good enough for clients by the policy of the service. */
async function shown(service: Program) {
  const policy = parsePolicy(await textOf(service, '/log/policy'));
  if ('fault' in policy) throw new Error(policy.fault);
  const note = await textOf(service, '/log/checkpoint');
  const bare = openCheckpoint(note, { ...policy, quorum: 'none' });
  const full = openCheckpoint(note, policy);
  if (typeof bare === 'string') return bare;
  return [bare.head.size - RULES_FILES, typeof full === 'string' ? full : 'cosigned'];
}

describe('a service with a witness', () => {
  let service: Program;
  let watching: Program;

  beforeAll(async () => {
    service = await serve();
    writeFileSync(LOGS, await textOf(service, '/log/policy'));
    watching = await witness();
    const vkey = await watching.printed;
    writeFileSync(POLICY, `witness w1 ${vkey} ${watching.address}\nquorum w1\n`);
    expect(await service.stop()).toBe(0);
    service = await serve({ LOG_POLICY: POLICY });
  });

  it('has a key of its own that others cannot read', () => {
    expect(statSync(join(folder, 'key')).mode & 0o777).toBe(0o600);
  });

  it('publishes checkpoints that the witness has cosigned', async () => {
    await addEntries(300, 0);
    await expect.poll(() => shown(service), SELDOM).toEqual([300, 'cosigned']);
    expect(await textOf(service, '/log/policy')).toContain('witness w1 witness.example/w1+');
  });

  it('publishes without it while it is away, and with it when it is back', async () => {
    expect(await watching.stop()).toBe(0);
    await addEntries(1, 300);
    await expect.poll(() => shown(service), SELDOM).toEqual([301, 'no_quorum']);
    watching = await witness(new URL(watching.address).port);
    await expect.poll(() => shown(service), SELDOM).toEqual([301, 'cosigned']);
  });

  it('does not continue an older copy of its database', async () => {
    await service.stop();
    copyFileSync(DATABASE, join(folder, 'backup.db'));
    service = await serve({ LOG_POLICY: POLICY });
    await addEntries(5, 301);
    await expect.poll(() => shown(service), SELDOM).toEqual([306, 'cosigned']);
    await service.stop();
    copyFileSync(join(folder, 'backup.db'), DATABASE);
    for (const name of ['log-mark', 'assay.db-wal', 'assay.db-shm']) {
      rmSync(join(DATA_DIR, name), { force: true });
    }
    service = await serve({ LOG_POLICY: POLICY });
    const { checks } = JSON.parse(await textOf(service, '/readyz'));
    expect(checks).toMatchObject({ process: 'ok', log: 'behind' });
    await addEntries(5, 900);
    expect(await shown(service)).toEqual([301, 'cosigned']);
  });

  it('does not start with a policy that it cannot read', async () => {
    const bad = join(folder, 'bad');
    writeFileSync(bad, 'witness w1 nonsense\nquorum w1\n');
    const { said, exited } = await serve({ LOG_POLICY: bad, DATA_DIR: join(folder, 'other') });
    expect(said).toBe(
      `assay: invalid setting: LOG_POLICY ${bad}: line 1: A witness needs an Ed25519 cosignature key.`,
    );
    expect(await exited).toBe(1);
  });
});
