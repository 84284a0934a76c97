import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Connection, openConnection } from '../../../../tools/http-load.ts';
import { projectFile } from '../../../../tools/project-file.ts';
import { sized } from '../../../support/sized.ts';
import { usePostgres } from '../../../support/storing/postgres-places.ts';
import type { Place } from '../../../support/storing/stores.ts';

/** `npm test` builds it. */
const PROGRAM = projectFile('dist/bundle/node/serve.js');
const ROUNDS = sized(5, 20);
const CALLS = 100;

describe('two processes of the service on one PostgreSQL', () => {
  const newPlace = usePostgres();
  const children: ChildProcess[] = [];
  const connections: Connection[] = [];
  const places: Place[] = [];
  const folder = mkdtempSync(join(tmpdir(), 'assay-replicas-'));

  async function start(url: string): Promise<number> {
    const child = spawn(process.execPath, [PROGRAM], {
      env: {
        PATH: process.env['PATH'],
        PORT: '0',
        DATA_DIR: folder,
        DATABASE_URL: url,
        TRUSTED_PROXIES: '127.0.0.1',
        SECRET: 'a-secret-of-the-test-suite',
        REQUESTS_PER_ADDRESS: '1000',
        PAY_TO: '0x1111111111111111111111111111111111111111',
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    children.push(child);
    const [line] = await once(createInterface({ input: child.stderr }), 'line');
    return Number(/:(\d+)$/.exec(String(line))?.[1]);
  }

  beforeAll(async () => {
    const place = await newPlace();
    places.push(place);
    const { settings } = place;
    if (!('url' in settings)) throw new Error('a place on PostgreSQL has a URL');
    const ports = [await start(settings.url), await start(settings.url)];
    for (let n = 0; n < CALLS; n += 1) connections.push(await openConnection(ports[n % 2] ?? 0));
  }, 120_000);
  afterAll(async () => {
    for (const { close } of connections) close();
    for (const child of children) {
      const exited = once(child, 'exit');
      child.kill();
      await exited;
    }
    for (const place of places) await place.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  it('grants a caller who asks both at once exactly its free lookups, in every round (G06)', async () => {
    const found: Record<string, number>[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const request = `GET /v1/lookup?task=weather HTTP/1.1\r\nhost: x\r\nx-forwarded-for: 100.64.1.${round}\r\n\r\n`;
      const statuses = await Promise.all(connections.map(({ ask }) => ask(request)));
      found.push({
        200: statuses.filter((status) => status === 200).length,
        402: statuses.filter((status) => status === 402).length,
      });
    }
    expect(found).toEqual(Array.from({ length: ROUNDS }, () => ({ 200: 5, 402: 95 })));
  });
});
