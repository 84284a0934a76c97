#!/usr/bin/env node
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type ServerType, serve } from '@hono/node-server';
import { z } from 'zod';
import type { Store } from '../adapters/store/store.ts';
import { pruneStores } from '../flows/prune-stores.ts';
import { createApp } from '../http/app.ts';
import { type Config, readConfig } from './config.ts';
import { openStore } from './open-store.ts';

const DRAIN_MS = 10_000;
const PRUNE_EVERY_MS = 60_000;

async function main(): Promise<void> {
  const reading = readConfig();
  if (reading.kind === 'invalid') return giveUp(`wrong setting: ${reading.problem}`);
  try {
    listen(reading.config, await openStore(reading.config));
  } catch (fault) {
    giveUp(fault instanceof Error ? fault.message : 'cannot start');
  }
}

function listen({ host, port }: Config, store: Store): void {
  const app = createApp({ version: packageVersion(), newRequestId: randomUUID, reportFault });
  const server = serve({ fetch: app.fetch, hostname: host, port }, ({ address, port: actual }) => {
    say(`assay: listening on http://${address.includes(':') ? `[${address}]` : address}:${actual}`);
  });
  const pruning = setInterval(() => {
    pruneStores(store, new Date()).catch((fault: unknown) => reportFault('pruning', fault));
  }, PRUNE_EVERY_MS);
  const close = () => {
    clearInterval(pruning);
    store.close().catch((fault: unknown) => reportFault('closing', fault));
  };
  server.on('close', close);
  server.on('error', (fault) => {
    giveUp(`cannot listen on ${host}:${port}: ${'code' in fault ? fault.code : 'unknown error'}`);
    close();
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

function reportFault(requestId: string, fault: unknown): void {
  say(JSON.stringify({ level: 'error', requestId, fault: String(fault) }));
}

function giveUp(reason: string): void {
  say(`assay: ${reason}`);
  process.exitCode = 1;
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

await main();
