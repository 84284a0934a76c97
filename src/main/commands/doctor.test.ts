import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { examined } from '../../../test/support/operating/examining.ts';
import { operate } from '../../../test/support/running/command-line.ts';
import { runDoctor } from './doctor.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-doctor-'));
afterAll(() => rmSync(folder, { recursive: true }));

const run = (argv: readonly string[], environment: NodeJS.ProcessEnv = {}) =>
  operate(['doctor', ...argv], (given, output) =>
    runDoctor(given, output, { DATA_DIR: folder, PORT: '0', ...environment }),
  );

describe('assay doctor', () => {
  it('prints a line for each check, the fix beside what is wrong, and ends with 0 when nothing failed', async () => {
    const { code, printed, notes } = await run([]);
    expect([code, notes]).toEqual([0, []]);
    const lines = (printed[0] ?? '').split('\n');
    expect(lines).toContain(
      'warning  store                  there is none yet; start the service once, or run assay migrate',
    );
    expect(lines).toContain('off      wallet                 nothing is sold: set PAY_TO');
    expect(lines.at(-1)).toMatch(/^0 failures, [0-9]+ warnings?$/);
  });

  it('ends with 1 when something failed', async () => {
    const { code, printed } = await run([], { BASE_URL: 'http://127.0.0.1:2' });
    expect(code).toBe(1);
    expect(printed[0]).toContain(
      'failure  service                http://127.0.0.1:2 does not answer: ECONNREFUSED;',
    );
  });

  it('is one JSON document for programs', async () => {
    const { code, printed } = await run(['--json']);
    const told = JSON.parse(printed[0] ?? '');
    expect([code, printed.length]).toEqual([0, 1]);
    expect(told).toMatchObject({ ok: true, failures: 0, warnings: expect.any(Number) });
    for (const check of told.checks) {
      expect(check).toMatchObject({ name: expect.any(String), says: expect.any(String) });
      expect(['ok', 'warning', 'failure', 'off']).toContain(check.status);
      expect('fix' in check).toBe(check.status === 'warning' || check.status === 'failure');
    }
  });

  it('finds an invalid setting', async () => {
    const { code, printed } = await run([], { METRICS_PORT: 'x' });
    expect(printed[0]?.split('\n').at(-1)).toBe('1 failure, 0 warnings');
    expect([code, printed[0]]).toEqual([
      1,
      expect.stringMatching(/^failure {2}settings +METRICS_PORT must be a port number; see docs/),
    ]);
  });

  it('shows no secret of the settings', async () => {
    const settings = {
      SECRET: 'hidden-1-hidden-1-hidden',
      SELF_TEST_KEY: 'hidden-2-hidden-2-hidden',
      FACILITATOR_URL: 'http://127.0.0.1:2/hidden-3',
      FACILITATOR_AUTH: 'hidden-4',
      RPC_URL: 'http://127.0.0.1:2/hidden-5',
      BUYER_KEY: `0x${'ab'.repeat(32)}`,
      DATABASE_URL: 'postgres://hidden-6:hidden-7@127.0.0.1:1/assay',
      PAY_TO: '0x1111111111111111111111111111111111111111',
      LOG_KEY: 'ab'.repeat(32),
    };
    const { printed } = await run(['--json'], settings);
    expect(printed[0]).not.toMatch(/hidden|abababab/);
  });
});

describe('a check that goes wrong itself', () => {
  it('is a failure when it throws', async () => {
    const broken: typeof fetch = () => {
      throw new Error('a fault of ours');
    };
    const now = () => {
      throw new Error('no clock');
    };
    const finding = await examined({ BASE_URL: 'https://127.0.0.1:1' }, { fetch: broken, now });
    expect(finding('certificate')).toMatchObject({
      status: 'failure',
      says: 'cannot be checked: no clock',
    });
    expect(finding('service').status).toBe('failure');
  });

  it('is a failure when it takes too long', async () => {
    const silent: typeof fetch = () => new Promise(() => {});
    const finding = await examined({ BASE_URL: 'http://127.0.0.1:2' }, { fetch: silent }, 200);
    expect(finding('service')).toMatchObject({ status: 'failure', says: 'no result within 0.2 s' });
  });
});
