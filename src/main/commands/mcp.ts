import { PassThrough, Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { createLog } from '../../adapters/system/log.ts';
import { readServer, serviceAt } from '../../cli/ask/ask-service.ts';
import type { Outcome } from '../../cli/exit-code.ts';
import type { Arguments } from '../../cli/read-arguments.ts';
import { isJsonObject } from '../../core/x402/read-json.ts';
import type { App } from '../../http/app.ts';
import { toolAnswer } from '../../http/exchange/open-exchange.ts';
import { createMcpServer } from '../../mcp/create-mcp-server.ts';
import type { Ask, McpCall, ToolAnswer } from '../../wire/mcp/mcp-port.ts';
import { buildApp } from '../build/build-app.ts';
import { secretOf } from '../build/keep-secret.ts';
import { openPayments } from '../build/open-payments.ts';
import { openStore } from '../build/open-store.ts';
import { createRuntime } from '../build/runtime.ts';
import { requireSameSecret } from '../build/same-secret.ts';
import { type Config, readConfig } from '../config/config.ts';
import { faultText, type Output } from './output.ts';

/** assay mcp: answers tool calls until standard input ends. */
export async function runMcp(given: Arguments, output: Output): Promise<Outcome> {
  const typed = given.text('--server');
  const server = typed === null ? null : readServer(typed);
  if (typed !== null && server === null) {
    return { invalid: '--server must be an address such as https://assay.example.org' };
  }
  const reading = readConfig();
  if (reading.kind === 'invalid') return output.fail(`wrong setting: ${reading.problem}`);
  const local = localApp(reading.config);
  const base = server ?? 'http://127.0.0.1';
  const here = askApp(local.open);
  const asked = countedAsk(server === null ? here : askBoth(server, here));
  // Standard output belongs to the protocol.
  const noteFault = (fault: unknown) => output.note(`assay: ${faultText(fault)}`);
  const call: McpCall = { body: null, base, header: () => null, ask: asked.ask };
  // The server must not see the end of the input: it would drop pending answers.
  const input = process.stdin.pipe(new PassThrough(), { end: false });
  const transport = new StdioServerTransport(input, process.stdout);
  const handle = serveStdio(() => createMcpServer(() => call, noteFault), { transport });
  await new Promise<void>((resolve) => {
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, resolve);
  });
  // A paid call must be answered and stored, even if the client is gone.
  await asked.settled();
  await handle.close();
  await local.close();
  return 0;
}

/** Opens the store on first use: listing the tools must not leave a file behind. */
function localApp(config: Config) {
  let opened: Promise<{ readonly app: App; close(): Promise<void> }> | null = null;
  const start = async () => {
    // Standard output belongs to the protocol.
    const log = createLog('warn', { format: config.logFormat, fd: 2 });
    const store = await openStore(config);
    await requireSameSecret(secretOf(config), store.secretMark);
    const parts = { store, payments: await openPayments(config, log), log, metrics: null };
    const known = { ...config, baseUrl: config.baseUrl ?? `http://${config.host}:${config.port}` };
    return { app: buildApp(known, createRuntime(known, parts)), close: () => store.close() };
  };
  return {
    async open(): Promise<App> {
      opened ??= start();
      try {
        return (await opened).app;
      } catch (fault) {
        // The next call may succeed.
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

/** Tracks the questions in flight. */
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
      // A message read just before the end may not have become a question yet, nor an answer been written.
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
    const answered = await app.answer({
      method: 'GET',
      target,
      address: '127.0.0.1',
      header,
      body: Readable.from([]),
    });
    // Standard output has no acknowledgement.
    await answered.onWritten?.();
    return toolAnswer(answered);
  };
}

function askBoth(server: string, here: Ask): Ask {
  const there = askRemote(server);
  return async (question) => {
    const answer = await there(question);
    return answer === NOT_REACHED && isShippedToo(question.target) ? here(question) : answer;
  };
}

/** Longer than a service takes to verify and settle. */
const TIMEOUT_SECONDS = 90;

const NOT_REACHED: ToolAnswer = failure('service_unreachable', 'The service could not be reached.');
/** The payment was sent and its outcome is unknown; a new payment could be a second charge. */
const PAYMENT_OPEN = failure(
  'settlement_pending',
  'It is not known whether this payment went through; send the same payment again, never a new one.',
);

/** The catalog ships with the program; receipts exist only in the store that made them. */
function isShippedToo(target: string): boolean {
  return /^\/v1\/(?:services|tasks)\b/.test(target);
}

/** Asks a service over HTTP. Every failure is an answer, too. */
function askRemote(server: string): Ask {
  const service = serviceAt(server, TIMEOUT_SECONDS, { fetch, stop: new AbortController().signal });
  return async ({ target, paymentSignature, xPayment }) => {
    const payment = { 'payment-signature': paymentSignature, 'x-payment': xPayment };
    const headers = Object.entries(payment).flatMap(([name, value]): [string, string][] =>
      value === null ? [] : [[name, value]],
    );
    const asked = await service.ask(target, {}, Object.fromEntries(headers));
    if (asked.kind === 'answered' && isJsonObject(asked.json)) {
      const { status, text, paymentResponse } = asked;
      return { status, text, paymentResponse };
    }
    return headers.length > 0 ? PAYMENT_OPEN : NOT_REACHED;
  };
}

function failure(code: string, detail: string): ToolAnswer {
  const problem = { title: 'No answer', status: 503, detail, code };
  return { status: 503, text: JSON.stringify(problem), paymentResponse: null };
}
