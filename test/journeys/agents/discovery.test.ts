import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectFile } from '../../../tools/project-file.ts';
import { startService, type TestService } from '../../support/running/running-service.ts';

/** The tools that others use to find and check an API, run as they are against the service on loopback. */
const DISCOVERY = program('@agentcash/discovery/bin/discovery.js');
const REDOCLY = program('@redocly/cli/bin/cli.js');

function program(path: string): string {
  return projectFile(`tools/checkers/node_modules/${path}`);
}

/** A tool that opens a connection to anywhere else ends at once, with a code of its own. */
const LEFT_LOOPBACK = 97;
const STAY_ON_LOOPBACK = `
  import { Socket } from 'node:net';
  const { connect } = Socket.prototype;
  Socket.prototype.connect = function (...args) {
    const [{ host } = {}] = [args[0]].flat();
    if (host !== '127.0.0.1') process.exit(${LEFT_LOOPBACK});
    return connect.apply(this, args);
  };`;

/** They take a second or two; a loaded machine may need longer. */
const TOOL_TIMEOUT_MS = 120_000;

const folder = mkdtempSync(join(tmpdir(), 'assay-discovery-'));
const running: TestService[] = [];

beforeAll(async () => {
  running.push(await startService({ door: 'socket' }));
});

afterAll(async () => {
  for (const service of running) await service.close();
  rmSync(folder, { recursive: true });
});

const addressOf = () => running[0]?.address ?? '';

async function run(tool: string, ...args: readonly string[]) {
  const child = spawn(process.execPath, [tool, ...args], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(STAY_ON_LOOPBACK)}`,
      REDOCLY_TELEMETRY: 'off',
      REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
      REDOCLY_SUPPRESS_NOTIFICATIONS: 'true',
      DO_NOT_TRACK: '1',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: TOOL_TIMEOUT_MS,
  });
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { output, errors, code };
}

async function runJson(tool: string, ...args: readonly string[]) {
  const { output, errors, code } = await run(tool, ...args);
  expect([code, errors]).toEqual([0, expect.any(String)]);
  return JSON.parse(output);
}

describe('the discovery engine of payment directories', () => {
  it('finds every route with its price, and has nothing to complain about', async () => {
    const found = await runJson(DISCOVERY, 'discover', addressOf(), '--json');
    const shown = found.resources.map(
      (one: Record<string, string>) =>
        `${one['method']} ${one['path']} ${one['authHint']} ${one['priceHint'] ?? ''}`,
    );
    expect(shown.map((line: string) => line.trim())).toEqual([
      'GET /v1/lookup paid 0-0.02 USD',
      'GET /v1/lookup/paid paid 0.02 USD',
      'GET /v1/products/endpoint-spot-check paid 0.01-0.25 USD',
      'POST /v1/products/endpoint-spot-check paid 0.01-0.25 USD',
      'GET /v1/products/overnight-cos-pack paid 9 USD',
      'POST /v1/products/overnight-cos-pack paid 9 USD',
      'GET /v1/skips unprotected',
      'GET /v1/skips.json unprotected',
      'GET /v1/skips.csv unprotected',
      'GET /v1/skips.atom unprotected',
      'GET /v1/receipts unprotected',
      'GET /v1/receipts/by-url unprotected',
      'GET /v1/receipts/{id} unprotected',
      'GET /v1/receipts/{id}/statement unprotected',
      'GET /v1/receipts/{id}/proof unprotected',
      'GET /v1/receipts/{id}/proof.tlog-proof unprotected',
      'GET /log/rules/{version}.mjs unprotected',
      'GET /log/policy unprotected',
      'GET /log/checkpoint unprotected',
      'GET /v1/tasks unprotected',
      'GET /v1/services unprotected',
      'GET /v1/services/{id} unprotected',
      'GET /v1/hosts/{host} unprotected',
      'GET /v1/payees/{address} unprotected',
      'GET /badge.svg unprotected',
      'GET /healthz unprotected',
      'GET /readyz unprotected',
      'GET /v1/snapshot unprotected',
      'GET /snapshot/{sha256}.bin unprotected',
      'GET /snapshot/{sha256}/{part}.bin unprotected',
      'GET /snapshot/{from}-{to}.delta unprotected',
      'GET /v1/corrections unprotected',
      'POST /v1/sellers unprotected',
      'GET /v1/watch.atom unprotected',
      'POST /mcp unprotected',
    ]);
    expect(found).toMatchObject({ ok: true, warnings: [] });
  });

  it.each([
    ['/v1/lookup', ['GET'], '0-0.02 USD'],
    ['/v1/lookup/paid', ['GET'], '0.02 USD'],
    ['/v1/products/overnight-cos-pack', ['GET', 'POST'], '9 USD'],
    ['/v1/products/endpoint-spot-check', ['GET', 'POST'], '0.01-0.25 USD'],
  ])('takes %s for a paid endpoint of x402', async (path, methods, estimatedPrice) => {
    const found = await runJson(DISCOVERY, 'check', addressOf() + path, '--json');
    expect(found).toMatchObject({
      found: true,
      path,
      advisories: methods.map((method) => ({
        method,
        authMode: 'paid',
        estimatedPrice,
        protocols: ['x402'],
        inputSchema: expect.any(Object),
        outputSchema: expect.any(Object),
      })),
      warnings: [],
    });
  });
});

describe('the linter of API descriptions', () => {
  const described = async () => (await fetch(`${addressOf()}/openapi.json`)).text();

  it('finds no fault with /openapi.json under its strictest rules', async () => {
    const file = join(folder, 'openapi.json');
    writeFileSync(file, await described());
    const report = await runJson(REDOCLY, 'lint', '--extends=recommended-strict', '--format=json', file);
    expect(report).toMatchObject({ totals: { errors: 0, warnings: 0, ignored: 0 }, problems: [] });
  });

  it('would find one', async () => {
    const file = join(folder, 'wrong.json');
    const document = JSON.parse(await described());
    document.components.schemas.Tasks = { type: 'string' };
    writeFileSync(file, JSON.stringify(document));
    const { output, code } = await run(
      REDOCLY,
      'lint',
      '--extends=recommended-strict',
      '--format=json',
      file,
    );
    expect([code, JSON.parse(output).totals.errors]).toEqual([1, 1]);
  });
});

it('a tool that calls anywhere else is stopped', async () => {
  // Still loopback, so that nothing leaves the machine even if the guard were broken.
  const { code } = await run(DISCOVERY, 'discover', addressOf().replace('127.0.0.1', '127.0.0.2'), '--json');
  expect(code).toBe(LEFT_LOOPBACK);
});
