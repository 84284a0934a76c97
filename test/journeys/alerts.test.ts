import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { comparedValues, readAlertRules } from '../../tools/alert-rules.ts';
import { freePort } from '../../tools/free-port.ts';
import { projectFile } from '../../tools/project-file.ts';

const read = (path: string) => readFileSync(projectFile(path), 'utf8');
const RULES = readAlertRules(read('deploy/alerts.yaml'));
const DASHBOARD = read('deploy/grafana-dashboard.json');
const SHOWN = new Set(
  JSON.parse(DASHBOARD).panels.flatMap(({ targets }: { targets: { expr: string }[] }) =>
    targets.map(({ expr }) => expr),
  ),
);
/** Prometheus makes it itself for everything that it scrapes. */
const OF_PROMETHEUS = 'up';

const folder = mkdtempSync(join(tmpdir(), 'assay-alerts-'));
let service: ChildProcess;
let served: ReadonlySet<string>;

beforeAll(async () => {
  const port = String(await freePort());
  service = spawn(process.execPath, [projectFile('dist/bundle/node/serve.js')], {
    env: { PATH: process.env['PATH'], DATA_DIR: join(folder, 'data'), PORT: '0', METRICS_PORT: port },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (service.stderr === null) throw new Error('its standard error is a pipe');
  await once(createInterface({ input: service.stderr }), 'line');
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  served = new Set([...metrics.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name));
});
afterAll(async () => {
  service.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

/** Names of metrics in an expression: what is followed by labels, a range, an operator or the end. */
function metricsIn(text: string): string[] {
  return [...text.matchAll(/\b(?:(?:assay|nodejs|process)_[a-z0-9_]+|up)\b(?=[{[)\s])/g)].map(
    ([name]) => name,
  );
}

describe('the alarms', () => {
  it('are about metrics that the service serves', () => {
    for (const { name, expr } of RULES) {
      const named = metricsIn(`${expr} `);
      expect(named, name).not.toEqual([]);
      for (const metric of named) expect([name, metric, isServed(metric)]).toEqual([name, metric, true]);
    }
  });

  it('and the dashboard too', () => {
    const unknown = metricsIn(DASHBOARD).filter((metric) => !isServed(metric));
    expect(unknown).toEqual([]);
  });

  it.each(RULES.map((rule) => [rule.name, rule] as const))(
    '%s has a section in the runbook',
    (name, { runbook }) => {
      const anchor = `docs/production.md#${name.toLowerCase()}`;
      expect(runbook).toBe(anchor);
      const sections = read('docs/production.md').split(/^#{2,3} /m);
      const section = sections.find((one) => one.startsWith(`${name}\n`)) ?? '';
      for (const part of ['Means', 'Users see', 'Look at', 'Do', 'Over']) {
        expect(section, `${name} does not say: ${part}`).toContain(`**${part}**`);
      }
    },
  );

  it.each(RULES.map((rule) => [rule.name, rule] as const))('%s is shown by a graph', (_, rule) => {
    for (const value of comparedValues(rule)) expect(SHOWN).toContain(value);
  });

  it('are each tested before and after their fault', () => {
    const tests = read('deploy/alerts.test.yaml').split(/^ {2}- name: /m);
    for (const { name } of RULES) {
      const test = tests.find((one) => one.startsWith(`${name}\n`)) ?? '';
      expect([name, /exp_samples: \[\]/.test(test), /^ {12}value: 1$/m.test(test)]).toEqual([
        name,
        true,
        true,
      ]);
    }
  });

  it('have names of their own', () => {
    expect(new Set(RULES.map(({ name }) => name)).size).toBe(RULES.length);
    expect(RULES.length).toBeGreaterThan(20);
  });
});

function isServed(metric: string): boolean {
  return (
    metric === OF_PROMETHEUS || served.has(metric) || served.has(metric.replace(/_(?:bucket|count|sum)$/, ''))
  );
}
