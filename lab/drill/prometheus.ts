import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { freePort } from '../../tools/free-port.ts';
import { projectFile } from '../../tools/project-file.ts';
import { shortAlarms } from './short-alarms.ts';

/** Prometheus itself, with the alarms of deploy/ in their short form. */
export interface Alarms {
  /** Names of the alarms that fire now. */
  firing(): Promise<ReadonlySet<string>>;
  /** Those, and the ones whose condition holds, but not for long enough yet. */
  raised(): Promise<ReadonlySet<string>>;
  stop(): Promise<void>;
}

const START_MS = 60_000;
const alerts = z.object({
  data: z.object({
    alerts: z.array(z.object({ state: z.string(), labels: z.object({ alertname: z.string() }) })),
  }),
});

export async function startPrometheus(metricsPorts: readonly number[]): Promise<Alarms> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-prometheus-'));
  writeFileSync(
    join(folder, 'alarms.yaml'),
    shortAlarms(readFileSync(projectFile('deploy/alerts.yaml'), 'utf8')),
  );
  const config = {
    global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
    rule_files: [join(folder, 'alarms.yaml')],
    scrape_configs: [
      { job_name: 'assay', static_configs: [{ targets: metricsPorts.map((port) => `127.0.0.1:${port}`) }] },
    ],
  };
  writeFileSync(join(folder, 'prometheus.yaml'), JSON.stringify(config));
  const port = await freePort();
  const child = spawn(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yaml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=error',
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const failed = once(child, 'error').then(() => {
    throw new Error('prometheus is missing; the drill needs it (Debian: apt-get install prometheus)');
  });
  failed.catch(() => {});
  const address = `http://127.0.0.1:${port}`;
  const stop = async () => {
    if (child.pid !== undefined && child.exitCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await Promise.race([untilReady(address), failed]);
  } catch (fault) {
    await stop();
    throw fault;
  }
  const named = async (states: readonly string[]) => {
    const { data } = alerts.parse(await (await fetch(`${address}/api/v1/alerts`)).json());
    return new Set(
      data.alerts.filter(({ state }) => states.includes(state)).map(({ labels }) => labels.alertname),
    );
  };
  return { firing: () => named(['firing']), raised: () => named(['firing', 'pending']), stop };
}

async function untilReady(address: string): Promise<void> {
  const giveUpAt = Date.now() + START_MS;
  while (Date.now() < giveUpAt) {
    const isReady = await fetch(`${address}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    await wait(200);
  }
  throw new Error('prometheus does not get ready');
}
