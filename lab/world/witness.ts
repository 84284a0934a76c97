import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { noteKeyText } from '../../src/core/log/note.ts';
import { logKeysOf } from '../../src/main/build/log-keys.ts';
import { freePort } from '../../tools/free-port.ts';
import { projectFile } from '../../tools/project-file.ts';
import { SECRET } from './replicas.ts';

/** `assay witness` in a process of its own, which keeps its port and its folder. */
export interface Witness {
  /** For the environment of the replicas. */
  readonly settings: Readonly<Record<'LOG_ORIGIN' | 'LOG_POLICY', string>>;
  start(): Promise<void>;
  kill(): Promise<void>;
  stop(): Promise<void>;
}

const ORIGIN = 'drill.example/log';

/** Knows the key of the log beforehand, because everybody who has the secret does. */
export async function startWitness(): Promise<Witness> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-witness-'));
  const port = await freePort();
  const keys = logKeysOf({ key: null, oldKey: null }, SECRET).signersOf({ tree: '1', origin: ORIGIN });
  const logs = join(folder, 'logs');
  writeFileSync(logs, `${keys.map(({ key }) => `log ${noteKeyText(key)}`).join('\n')}\nquorum none\n`);
  const state: { process: ChildProcess | null } = { process: null };
  const start = async () => {
    const options = ['--policy', logs, '--key', join(folder, 'key'), '--name', 'drill.example/w1'];
    const place = ['--listen', `127.0.0.1:${port}`, '--data', join(folder, 'data')];
    const child = spawn(
      process.execPath,
      [projectFile('dist/bundle/node/assay.js'), 'witness', ...options, ...place],
      { env: { PATH: process.env['PATH'] ?? '' }, stdio: ['ignore', 'pipe', 'ignore'] },
    );
    state.process = child;
    const [key] = await once(createInterface({ input: child.stdout }), 'line');
    return String(key);
  };
  const kill = async () => {
    const child = state.process;
    state.process = null;
    if (child === null || child.exitCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  const policy = join(folder, 'policy');
  writeFileSync(policy, `witness w1 ${await start()} http://127.0.0.1:${port}\nquorum w1\n`);
  return {
    settings: { LOG_ORIGIN: ORIGIN, LOG_POLICY: policy },
    start: async () => void (await start()),
    kill,
    async stop() {
      await kill();
      rmSync(folder, { recursive: true });
    },
  };
}
