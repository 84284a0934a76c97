import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { createLog } from '../../adapters/system/log.ts';
import type { App } from '../../http/app.ts';
import { toolAnswer } from '../../http/exchange/open-exchange.ts';
import type { Ask, Question, ToolAnswer } from '../../wire/mcp/mcp-port.ts';
import { buildApp } from '../build/build-app.ts';
import { secretOf } from '../build/keep-secret.ts';
import { openPayments } from '../build/open-payments.ts';
import { openStore } from '../build/open-store.ts';
import { createRuntime } from '../build/runtime.ts';
import { requireSameSecret } from '../build/same-secret.ts';
import { faultText } from '../commands/output.ts';
import type { Config } from '../config/config.ts';
import { NOWHERE, withoutLinks } from './local-links.ts';
import { createLocalOutbound } from './local-outbound.ts';

/** The service in this process, for the person who runs it: without quotas, and without links to where nobody listens. */
export interface LocalApp {
  /** Every failure is an answer, too. */
  readonly ask: Ask;
  close(): Promise<void>;
}

interface Opened {
  readonly app: App;
  /** Of the last answer that failed. */
  readonly cause: { fault: unknown };
  close(): Promise<void>;
}

/** Its limits are for strangers. */
const UNLIMITED = { readsPerAddressMinute: 10_000_000, requestsPerAddress: 100_000 };

/** Opens the store on first use: listing the tools must not leave a file behind. */
export function createLocalApp(config: Config): LocalApp {
  const key = randomUUID();
  let opened: Promise<Opened> | null = null;
  return {
    async ask(question) {
      opened ??= openApp({ ...config, ...UNLIMITED, baseUrl: NOWHERE, selfTestKey: key });
      const app = await opened.catch((fault: unknown) => {
        // The next call may succeed.
        opened = null;
        return unavailable(fault, config);
      });
      return 'app' in app ? answerOf(app, question, { key, config }) : app;
    },
    async close() {
      const app = await opened?.catch(() => null);
      await app?.close();
    },
  };
}

async function openApp(config: Config & { readonly baseUrl: string }): Promise<Opened> {
  // Standard output belongs to the command.
  const log = createLog('warn', { format: config.logFormat, fd: 2 });
  const store = await openStore(config);
  try {
    await requireSameSecret(secretOf(config), store.secretMark);
    const parts = { store, payments: await openPayments(config, log), log, metrics: null };
    const runtime = { ...createRuntime(config, parts), ...createLocalOutbound(config.baseUrl) };
    const close = async () => {
      await runtime.painter.close();
      await store.close();
    };
    const cause: Opened['cause'] = { fault: null };
    const onFault = (_: string, fault: unknown) => void Object.assign(cause, { fault });
    return { app: buildApp(config, { ...runtime, onFault }), cause, close };
  } catch (fault) {
    await store.close();
    throw fault;
  }
}

async function answerOf(
  { app, cause }: Opened,
  question: Question,
  { key, config }: { readonly key: string; readonly config: Config },
): Promise<ToolAnswer> {
  const sent = new Map([
    ['payment-signature', question.paymentSignature],
    ['x-payment', question.xPayment],
    ['authorization', `Bearer ${key}`],
  ]);
  const answered = await app.answer({
    method: 'GET',
    target: question.target,
    address: '127.0.0.1',
    header: (name) => sent.get(name) ?? null,
    body: Readable.from([]),
  });
  // Standard output has no acknowledgement.
  await answered.onWritten?.();
  const answer = toolAnswer(answered);
  const fault = takeFault(cause);
  if (answer.status >= 500 && fault !== null) return unavailable(fault, config);
  return { ...answer, text: withoutLinks(answer.text) };
}

function takeFault(cause: Opened['cause']): unknown {
  const { fault } = cause;
  cause.fault = null;
  return fault;
}

/** A person can do something about their own machine, so the cause is named. */
function unavailable(fault: unknown, { dataDir }: Config): ToolAnswer {
  const detail = `${causeText(fault)}. ${fixFor(fault, dataDir)}`;
  const problem = { title: 'Store unavailable', status: 503, detail, code: 'store_unavailable' };
  return { status: 503, text: JSON.stringify(problem), paymentResponse: null, retryAfterSeconds: null };
}

function causeText(fault: unknown): string {
  const cause = fault instanceof Error && fault.cause instanceof Error ? fault.cause.message : '';
  const text = faultText(fault);
  return (cause === '' || text.includes(cause) ? text : `${text}: ${cause}`).split('\n').join(' ');
}

export function fixFor(fault: unknown, folder: string): string {
  return /locked|busy/i.test(causeText(fault))
    ? `Another process has the store in ${folder} locked: stop it, or set DATA_DIR to another folder.`
    : `Make ${folder} writable, or set DATA_DIR to another folder.`;
}
