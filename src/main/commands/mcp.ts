import { PassThrough, Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { createLog } from '../../adapters/system/log.ts';
import { readServer } from '../../cli/ask/ask-service.ts';
import type { App } from '../../http/app.ts';
import { told } from '../../http/exchange/open-exchange.ts';
import { createMcpServer } from '../../mcp/create-mcp-server.ts';
import type { Ask, McpCall } from '../../wire/mcp/mcp-port.ts';
import { askRemote, isShippedToo, NOT_REACHED } from '../ask-remote.ts';
import { openPayments } from '../build/open-payments.ts';
import { openStore } from '../build/open-store.ts';
import { createWorld } from '../build/runtime.ts';
import { buildApp } from '../build-app.ts';
import { type Config, readConfig } from '../config/config.ts';
import type { Voice } from './print-verified.ts';

const USAGE = 'usage: assay mcp [--server URL]';

/** Runs until its input ends. Answers the exit code. */
export async function runMcp(argv: readonly string[], voice: Voice): Promise<number> {
  const options = readOptions(argv);
  if (options.kind === 'wrong') return voice.fail(`${options.problem}\n\n${USAGE}`);
  const reading = readConfig();
  if (reading.kind === 'invalid') return voice.fail(`wrong setting: ${reading.problem}`);
  const local = localApp(reading.config);
  const base = options.server ?? 'http://127.0.0.1';
  const asked = countedAsk(
    options.server === null ? askApp(local.open) : askBoth(options.server, askApp(local.open)),
  );
  // Standard output belongs to the protocol.
  const noteFault = (fault: unknown) =>
    voice.say(`assay: ${fault instanceof Error ? fault.message : 'it failed'}`);
  const call: McpCall = { body: null, base, header: () => null, ask: asked.ask };
  // The end of the input must not take the answers with it, so the server never sees it.
  const input = process.stdin.pipe(new PassThrough(), { end: false });
  const transport = new StdioServerTransport(input, process.stdout);
  const handle = serveStdio(() => createMcpServer(() => call, noteFault), { transport });
  await new Promise<void>((resolve) => {
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, resolve);
  });
  // Whoever has been paid for must be answered and kept, also when nobody listens any more.
  await asked.settled();
  await handle.close();
  await local.close();
  return 0;
}

type Options =
  | { readonly kind: 'mcp'; readonly server: string | null }
  | { readonly kind: 'wrong'; readonly problem: string };

function readOptions(argv: readonly string[]): Options {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: { server: { type: 'string' } },
    });
    if (values.server === undefined) return { kind: 'mcp', server: null };
    const server = readServer(values.server);
    if (server !== null) return { kind: 'mcp', server };
    return { kind: 'wrong', problem: '--server must be an address such as https://assay.example.org' };
  } catch (fault) {
    return { kind: 'wrong', problem: fault instanceof Error ? fault.message : 'wrong options' };
  }
}

/** The store is opened by the first question that needs it: a tool that only lists itself must not leave a file behind. */
function localApp(config: Config) {
  let opened: Promise<{ readonly app: App; close(): Promise<void> }> | null = null;
  const start = async () => {
    // Standard output belongs to the protocol.
    const log = createLog('warn', 2);
    const store = await openStore(config);
    const parts = { store, payments: await openPayments(config, log), log, metrics: null };
    const known = { ...config, baseUrl: config.baseUrl ?? `http://${config.host}:${config.port}` };
    return { app: buildApp(known, createWorld(known, parts)), close: () => store.close() };
  };
  return {
    async open(): Promise<App> {
      opened ??= start();
      try {
        return (await opened).app;
      } catch (fault) {
        // The cause may be mended by the next call.
        opened = null;
        throw fault;
      }
    },
    async close(): Promise<void> {
      if (opened !== null) await (await opened).close();
    },
  };
}

const QUIET_MS = 50;

/** Knows the questions under way. */
function countedAsk(ask: Ask): { readonly ask: Ask; settled(): Promise<void> } {
  const underWay = new Set<Promise<unknown>>();
  return {
    async ask(question) {
      const answer = ask(question);
      underWay.add(answer);
      try {
        return await answer;
      } finally {
        underWay.delete(answer);
      }
    },
    async settled() {
      // A message that was read just before the end is still on its way to its question, and an answer to its reader.
      do {
        await Promise.allSettled(underWay);
        await wait(QUIET_MS);
      } while (underWay.size > 0);
    },
  };
}

function askApp(open: () => Promise<App>): Ask {
  return async ({ target, paymentSignature, xPayment }) => {
    const sent = new Map([
      ['payment-signature', paymentSignature],
      ['x-payment', xPayment],
    ]);
    const header = (name: string) => sent.get(name) ?? null;
    const app = await open();
    return told(
      await app.answer({ method: 'GET', target, address: '127.0.0.1', header, body: Readable.from([]) }),
    );
  };
}

function askBoth(server: string, here: Ask): Ask {
  const there = askRemote(server);
  return async (question) => {
    const answer = await there(question);
    return answer === NOT_REACHED && isShippedToo(question.target) ? here(question) : answer;
  };
}
