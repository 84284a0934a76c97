import { setTimeout as wait } from 'node:timers/promises';
import { type StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { readServer, serviceAt } from '../../cli/ask/ask-service.ts';
import { isServiceKey, KEY_PROBLEM } from '../../cli/ask/service-key.ts';
import type { Outcome } from '../../cli/exit-code.ts';
import type { Arguments } from '../../cli/read-arguments.ts';
import { isJsonObject } from '../../core/x402/read-json.ts';
import { createMcpServer } from '../../mcp/create-mcp-server.ts';
import type { Ask, McpCall, ToolAnswer } from '../../wire/mcp/mcp-port.ts';
import { environment } from '../config/config.ts';
import { readLocalConfig } from '../config/local-config.ts';
import { createLocalApp } from '../local/local-app.ts';
import { NOWHERE } from '../local/local-links.ts';

import { clientTransport } from './client-transport.ts';
import { faultText, type Output } from './output.ts';

/** assay mcp: answers tool calls until standard input ends. */
export async function runMcp(given: Arguments, output: Output): Promise<Outcome> {
  const typed = given.text('--server');
  const server = typed === null ? null : readServer(typed);
  if (typed !== null && server === null) {
    return { invalid: '--server must be an address such as https://assay.example.org' };
  }
  const reading = readLocalConfig();
  if (reading.kind === 'invalid') return output.fail(`invalid setting: ${reading.problem}`);
  const key = readMcpKey(given, server, output);
  if (typeof key === 'object' && key !== null) return key;
  const local = createLocalApp(reading.config);
  const base = server ?? NOWHERE;
  const asked = countedAsk(server === null ? local.ask : askBoth(askRemote(server, key), local.ask));
  // Standard output belongs to the protocol.
  const noteFault = (fault: unknown) => output.note(`assay: ${faultText(fault)}`);
  const call: McpCall = { body: null, base, header: () => null, ask: asked.ask };
  // Here nothing is counted; another service may sell.
  const offer = server === null ? 'unmetered' : 'sold';
  const transport = clientTransport();
  const handle = serveStdio(() => createMcpServer(() => call, noteFault, offer), { transport });
  const isClosed = await endOf(transport);
  // A paid call must be answered and stored, even if the client is gone.
  await asked.settled();
  await handle.close();
  await local.close();
  // An open input would keep the process.
  process.stdin.unpipe().pause();
  return isClosed ? output.fail('the connection to the MCP client is closed') : 0;
}

/** When the input has ended, or a signal came: false. When the transport closed itself, as when nobody reads the answers: true. */
function endOf(transport: StdioServerTransport): Promise<boolean> {
  return new Promise((resolve) => {
    for (const event of ['end', 'close']) process.stdin.once(event, () => resolve(false));
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve(false));
    const closed = transport.onclose;
    transport.onclose = () => {
      closed?.();
      resolve(true);
    };
  });
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

function askBoth(there: Ask, here: Ask): Ask {
  return async (question) => {
    const answer = await there(question);
    return answer === NOT_REACHED && isShippedToo(question.target) ? here(question) : answer;
  };
}

/** The typed key, else that of the environment, unless that is for another service. */
function readMcpKey(
  given: Arguments,
  server: string | null,
  { note }: Pick<Output, 'note'>,
): string | null | { readonly invalid: string } {
  const { ASSAY_KEY = '', ASSAY_SERVER = '' } = environment();
  const typed = given.text('--key');
  const key = typed ?? ASSAY_KEY;
  if (key === '' || server === null) return null;
  if (!isServiceKey(key)) return { invalid: KEY_PROBLEM };
  if (typed !== null || ASSAY_SERVER === '' || readServer(ASSAY_SERVER) === server) return key;
  note(`assay: ASSAY_KEY is not sent to ${server}; it is for the service in ASSAY_SERVER`);
  return null;
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
function askRemote(server: string, key: string | null): Ask {
  const service = serviceAt(server, TIMEOUT_SECONDS, { fetch, stop: new AbortController().signal }, key);
  return async ({ target, paymentSignature, xPayment }) => {
    const payment = { 'payment-signature': paymentSignature, 'x-payment': xPayment };
    const headers = Object.entries(payment).flatMap(([name, value]): [string, string][] =>
      value === null ? [] : [[name, value]],
    );
    const asked = await service.ask(target, {}, Object.fromEntries(headers));
    if (asked.kind === 'answered' && isJsonObject(asked.json)) {
      const { status, text, paymentResponse, retryAfterSeconds } = asked;
      return { status, text, paymentResponse, retryAfterSeconds };
    }
    return headers.length > 0 ? PAYMENT_OPEN : NOT_REACHED;
  };
}

function failure(code: string, detail: string): ToolAnswer {
  const problem = { title: 'No answer', status: 503, detail, code };
  return { status: 503, text: JSON.stringify(problem), paymentResponse: null, retryAfterSeconds: null };
}
