import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { request as send } from 'undici';
import { createSignatureCheck } from '../../../src/adapters/facilitator/signature-check.ts';
import { createPainter } from '../../../src/adapters/pictures/create-painter.ts';
import type { ResolveText } from '../../../src/adapters/probe/proof-source.ts';
import type { Store } from '../../../src/adapters/store/store.ts';
import { buildTaskIndex } from '../../../src/core/catalog/task-index.ts';
import { publicWeb } from '../../../src/core/url/gate.ts';
import { publicAddresses } from '../../../src/core/url/public-address.ts';
import type { LogKeeper } from '../../../src/flows/log/keep-log.ts';
import type { App } from '../../../src/http/app.ts';
import { type Answer, partsOf } from '../../../src/http/exchange/answer.ts';
import type { Exchange } from '../../../src/http/exchange/exchange.ts';
import { createHttpServer } from '../../../src/http/server.ts';
import { buildApp, type PublicConfig, type Runtime } from '../../../src/main/build/build-app.ts';
import { loadPack } from '../../../src/main/build/load-pack.ts';
import { loadRules } from '../../../src/main/build/load-rules.ts';
import { readConfig } from '../../../src/main/config/config.ts';
import { listenOn, stopListening } from '../../../src/main/serve/listen.ts';
import { ownAddress } from '../../../tools/samples/own-address.ts';
import { testKeeper } from '../log/test-log.ts';
import { type Script, startSeller } from '../probing/fake-seller.ts';
import { probingHarness } from '../probing/probing.ts';
import { scriptedSeller } from '../probing/scripted-seller.ts';
import { IS_LONG } from '../sized.ts';
import { newSqlitePlace, type Place } from '../storing/stores.ts';
import { SERVICES } from './served-catalog.ts';

export const WALLET = '0x1111111111111111111111111111111111111111';
export const SELF_TEST_KEY = 'self-test-key-of-the-suite';
export const SECRET = 'a secret of the test suite';
export const NOON = new Date('2026-11-15T12:00:00.000Z');
/** Links show this address unless a caller names one of the other two. */
export const BASE_URL = 'https://assay.example.org';
export const ALT_URL = 'https://alt.example.org';
export const LEGACY_URL = 'https://legacy.example.net';

/** For suites in which one address sends very many requests at once (gap G102). */
export const CROWDED = { REQUESTS_PER_ADDRESS: '1000' };

export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The caller's address; a fresh one when it is left out, so that quotas do not meet. */
  readonly from?: string;
}

export interface Received {
  readonly status: number;
  header(name: string): string | null;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks at whatever an answer holds.
  readonly json: any;
}

export type Ask = (path: string, sent?: Sent) => Promise<Received>;

/** The two ways in: the app itself, and a real server on loopback in front of it. */
export type Door = 'app' | 'socket';
export const BOTH_DOORS: readonly Door[] = ['app', 'socket'];
/** Both in a long run; in `npm test` only the app, where the socket is not the subject. */
export const DOORS: readonly Door[] = IS_LONG ? BOTH_DOORS : ['app'];

export interface TestService {
  readonly ask: Ask;
  readonly store: Store;
  readonly place: Place;
  readonly clock: { now: Date };
  /** Every request that reached the seller, raw. */
  readonly sellerRequests: string[];
  readonly faults: unknown[];
  readonly answered: { readonly facts: Exchange['facts']; readonly status: number }[];
  readonly app: App;
  readonly logKeeper: LogKeeper;
  /** Where the socket door is; the app door has none. */
  readonly address: string | null;
  close(): Promise<void>;
}

export interface ServiceOptions {
  readonly door?: Door;
  readonly settings?: Readonly<Record<string, string>>;
  readonly seller?: Script;
  readonly world?: Partial<Runtime>;
  readonly timeoutMs?: number;
  /** TXT records; none when it is left out. */
  readonly resolveText?: ResolveText;
  /** Where the store is; a new SQLite file when it is left out. */
  readonly place?: Place;
}

/** There is nobody to ask about a payment, unless a test brings somebody. */
const NOBODY: Runtime['facilitator'] = {
  verify: async () => ({ kind: 'unavailable' }),
  settle: async () => ({ kind: 'unknown' }),
};

/** The whole service on a real store and the real prober; every name has its own address, and all lead to one seller on loopback. */
export async function startService(options: ServiceOptions = {}): Promise<TestService> {
  const seller = await startSeller(options.seller ?? scriptedSeller);
  const place = options.place ?? (await newSqlitePlace());
  const store = await place.open();
  const clock = { now: NOON };
  const faults: unknown[] = [];
  const answered: TestService['answered'] = [];
  const { prober, proofs } = probingHarness(seller.port, {
    timeoutMs: options.timeoutMs ?? 5_000,
    resolveText: options.resolveText,
    resolve: async (name) => ({ kind: 'addresses', addresses: [ownAddress(name)] }),
  });
  const policy = publicWeb({ addresses: publicAddresses([]), ownHosts: new Set(['assay.example.org']) });
  const ids = { last: 0 };
  const painter = createPainter({ onFault: (fault) => faults.push(fault), timeLimitMs: 200_000 });
  const { keeper: logKeeper } = testKeeper(store.transparencyLog, { secret: SECRET });
  await logKeeper.open();
  const app = buildApp(configOf(options.settings ?? {}), {
    store,
    painter,
    prober,
    proofs,
    sendWebhook: async () => 'failed',
    policy,
    index: buildTaskIndex(SERVICES),
    secret: SECRET,
    version: '9.9.9',
    pack: loadPack().body,
    rules: loadRules(),
    facilitator: NOBODY,
    signatures: createSignatureCheck(),
    authorizationLog: { useOf: async () => ({ kind: 'unavailable' }) },
    wait: (milliseconds) => wait(milliseconds),
    now: () => clock.now,
    entropy: (bytes) => crypto.getRandomValues(new Uint8Array(bytes)),
    newRequestId: () => `request-${++ids.last}`,
    onAnswer: ({ facts }, status) => answered.push({ facts, status }),
    onFault: (_, fault) => faults.push(fault),
    stopwatch: () => 0,
    logKeeper,
    ...options.world,
  });
  const door = options.door === 'socket' ? await socketDoor(app) : appDoor(app);
  return {
    ask: door.ask,
    address: door.address,
    store,
    place,
    clock,
    faults,
    answered,
    app,
    logKeeper,
    sellerRequests: seller.requests,
    async close() {
      await Promise.all([door.close(), painter.close()]);
      await seller.close();
      await place.remove();
    },
  };
}

function configOf(settings: Readonly<Record<string, string>>): PublicConfig {
  const reading = readConfig({
    BASE_URL,
    ALT_URL,
    LEGACY_URL,
    PAY_TO: WALLET,
    SELF_TEST_KEY,
    TRUSTED_PROXIES: '127.0.0.1',
    ...settings,
  });
  if (reading.kind === 'invalid') throw new Error(reading.problem);
  return { ...reading.config, baseUrl: reading.config.baseUrl ?? BASE_URL };
}

interface OpenDoor {
  readonly ask: Ask;
  readonly address: string | null;
  close(): Promise<void>;
}

function appDoor(app: App): OpenDoor {
  return {
    address: null,
    async ask(path, { method = 'GET', headers = {}, body, from = freshAddress() } = {}) {
      const named = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
      const answer = await app.answer({
        method,
        target: path,
        address: from,
        header: (name) => named.get(name) ?? null,
        body: Readable.from(body === undefined ? [] : [Buffer.from(body)]),
      });
      await answer.onWritten?.();
      const text = method === 'HEAD' ? '' : textOf(answer);
      return received(answer.status, (name) => answer.headers[name] ?? null, text);
    },
    async close() {},
  };
}

/** The bytes of an answer as text. */
export function textOf({ body }: Answer): string {
  return partsOf(body ?? '').join('');
}

async function socketDoor(app: App): Promise<OpenDoor> {
  const server = createHttpServer(app);
  const address = await listenOn(server, '127.0.0.1', 0);
  return {
    address,
    async ask(path, { method = 'GET', headers = {}, body, from = freshAddress() } = {}) {
      const {
        statusCode,
        headers: fields,
        body: answer,
      } = await send(address + path, {
        // undici types its methods as a closed list; tests also send others.
        method: method as 'GET',
        headers: { ...headers, 'x-forwarded-for': from },
        ...(body === undefined ? {} : { body }),
      });
      const text = await answer.text();
      return received(statusCode, (name) => joined(fields[name]), text);
    },
    close: () => stopListening(server),
  };
}

function joined(value: string | string[] | undefined): string | null {
  return value === undefined ? null : [value].flat().join(', ');
}

function received(status: number, header: Received['header'], text: string): Received {
  return {
    status,
    header: (name) => header(name.toLowerCase()),
    text,
    get json() {
      return JSON.parse(text);
    },
  };
}

/** From a range that no seller and no proxy is in. */
export function freshAddress(): string {
  const [a = 0, b = 0, c = 0] = crypto.getRandomValues(new Uint8Array(3));
  return `100.${64 + (a % 64)}.${b}.${c}`;
}
