#!/usr/bin/env node
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type ServerType, serve } from '@hono/node-server';
import { z } from 'zod';
import { createApp } from '../http/app.ts';
import { type Config, readConfig } from './config.ts';

const DRAIN_MS = 10_000;

function main(): void {
  const reading = readConfig();
  if (reading.kind === 'invalid') {
    say(`assay: wrong setting: ${reading.problem}`);
    process.exitCode = 1;
    return;
  }
  start(reading.config);
}

function start({ host, port }: Config): void {
  const app = createApp({
    version: packageVersion(),
    newRequestId: randomUUID,
    reportFault: (requestId, fault) =>
      say(JSON.stringify({ level: 'error', requestId, fault: String(fault) })),
  });
  const server = serve({ fetch: app.fetch, hostname: host, port }, ({ address, port: actual }) => {
    say(`assay: listening on http://${address.includes(':') ? `[${address}]` : address}:${actual}`);
  });
  server.on('error', (fault) => {
    say(`assay: cannot listen on ${host}:${port}: ${'code' in fault ? fault.code : 'unknown error'}`);
    process.exitCode = 1;
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => drain(server));
}

/** Finishes what was begun, and takes no longer than this over it. */
function drain(server: ServerType): void {
  server.close();
  if (!('closeAllConnections' in server)) return;
  server.closeIdleConnections();
  setTimeout(() => server.closeAllConnections(), DRAIN_MS).unref();
}

function packageVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

main();
