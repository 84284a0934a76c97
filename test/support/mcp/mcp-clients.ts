import {
  Client as NewClient,
  StreamableHTTPClientTransport as NewTransport,
} from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { ClientTransport } from '../../../src/guard/mcp/client-transport.ts';

const INFO = { name: 'a-client', version: '1.0.0' };

export interface Dialling {
  /** The address of /mcp. */
  readonly url: string;
  /** Whose calls these are: quotas go by address. */
  readonly caller: string;
  /** Every body that was sent is added here. */
  readonly sent?: string[];
  /** Around the transport of the SDK. */
  readonly wrap?: <T extends ClientTransport>(transport: T) => T;
}

export interface Connected<Client> {
  readonly client: Client;
  /** The revision that both agreed on. */
  readonly version: string | undefined;
}

function optionsOf({ caller, sent = [] }: Dialling) {
  const recording: typeof fetch = (input, init) => {
    if (typeof init?.body === 'string') sent.push(init.body);
    return fetch(input, init);
  };
  return { requestInit: { headers: { 'x-forwarded-for': caller } }, fetch: recording };
}

function wrapped<T extends ClientTransport>(transport: T, { wrap }: Dialling): T {
  return wrap === undefined ? transport : wrap(transport);
}

/** The client of the SDK's first line, which most agents run. */
async function connectOld(dialling: Dialling): Promise<Connected<OldClient>> {
  const transport = new OldTransport(new URL(dialling.url), optionsOf(dialling));
  const client = new OldClient(INFO);
  // The two differ only in members that may be undefined, which the SDK is not strict about.
  await client.connect(wrapped(transport, dialling) as Parameters<OldClient['connect']>[0]);
  return { client, version: transport.protocolVersion };
}

/** The client of the second line; unless it is told to negotiate it speaks as the first. */
async function connectNew(dialling: Dialling, mode: 'legacy' | 'auto'): Promise<Connected<NewClient>> {
  const transport = new NewTransport(new URL(dialling.url), optionsOf(dialling));
  const client = new NewClient(INFO, mode === 'auto' ? { versionNegotiation: { mode: 'auto' } } : {});
  await client.connect(wrapped(transport, dialling));
  return { client, version: client.getNegotiatedProtocolVersion() };
}

// biome-ignore lint/suspicious/noExplicitAny: a test looks at whatever a result holds.
export type Json = any;

/** What the clients of both lines have in common. */
export interface AnyClient {
  listTools(): Promise<Json>;
  callTool(call: { name: string; arguments?: Record<string, unknown>; _meta?: Json }): Promise<Json>;
  listResources(): Promise<Json>;
  listResourceTemplates(): Promise<Json>;
  readResource(named: { uri: string }): Promise<Json>;
  listPrompts(): Promise<Json>;
  getPrompt(named: { name: string; arguments: Record<string, string> }): Promise<Json>;
  complete(begun: Json): Promise<Json>;
  getInstructions(): string | undefined;
  close(): Promise<void>;
}

export const CLIENTS: readonly [
  name: string,
  version: string,
  connect: (to: Dialling) => Promise<Connected<AnyClient>>,
][] = [
  ['@modelcontextprotocol/sdk 1', '2025-11-25', connectOld],
  ['@modelcontextprotocol/client 2', '2025-11-25', (to) => connectNew(to, 'legacy')],
  ['@modelcontextprotocol/client 2, negotiating', '2026-07-28', (to) => connectNew(to, 'auto')],
];

const callers = { last: 0 };

/** An address that nothing has come from yet. */
export function newCaller(): string {
  callers.last += 1;
  return `198.51.100.${callers.last}`;
}
