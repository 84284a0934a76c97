import { setTimeout as wait } from 'node:timers/promises';
import { type JSONRPCMessage, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { plainText } from '../../../cli/show/plain-text.ts';
import type { Guard } from '../../../guard/create-guard.ts';
import { guardTransport } from '../../../guard/mcp/guard-transport.ts';
import { commandUrl } from '../../../guard/mcp/tool-url.ts';
import { guardOfPolicy, readPolicyFile } from '../../../guard/policy-file.ts';
import { environment } from '../../config/config.ts';
import { clientTransport } from '../client-transport.ts';
import { faultText, type Output } from '../output.ts';

/** An MCP server that is started here, or one that is reached over HTTP. */
export type GuardedServer = { readonly command: readonly string[] } | { readonly url: string };

type Transport = StdioClientTransport | StreamableHTTPClientTransport;

/** assay guard mcp: a keyless proxy between a paying client on standard input and a paid server. Ends with either. */
export async function runGuardMcp(
  policyPath: string,
  server: GuardedServer,
  output: Output,
): Promise<number> {
  try {
    const guard = guardOfPolicy(readPolicyFile(policyPath), {
      onDecision(decision) {
        if (decision.kind === 'refused') output.note(`assay: refused ${decision.url}: ${decision.code}`);
      },
    });
    try {
      return await serve(server, guard, output);
    } finally {
      await guard.close();
    }
  } catch (fault) {
    return output.fail(faultText(fault));
  }
}

async function serve(server: GuardedServer, guard: Guard, output: Output): Promise<number> {
  const { transport, address } = open(server);
  const there = guardTransport(transport, guard, { server: address });
  const here = clientTransport();
  const unanswered = relay(here, there);
  const serverEnded = new Promise<'server'>((resolve) => {
    there.onclose = () => resolve('server');
  });
  const clientEnded = new Promise<'client'>((resolve) => {
    here.onclose = () => resolve('client');
    for (const event of ['end', 'close']) process.stdin.once(event, () => resolve('client'));
  });
  const stopped = new Promise<'stopped'>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve('stopped'));
  });
  try {
    await there.start().catch((fault) => Promise.reject(startFault(fault, server)));
    output.note(`assay: tools are guarded as ${toolsOf(address)}`);
    await here.start();
    const ended = await Promise.race([serverEnded, clientEnded, stopped]);
    if (ended === 'client') await Promise.race([unanswered.settled(), serverEnded, stopped]);
    if ('terminateSession' in there) await there.terminateSession().catch(() => {});
    return ended === 'server' ? output.fail('the server has ended') : 0;
  } finally {
    await there.close();
    await here.close();
    process.stdin.unpipe().pause();
  }
}

/** A command that is not there, or may not be run. */
function startFault(fault: unknown, server: GuardedServer): unknown {
  if (!('command' in server) || !(fault instanceof Error) || !('code' in fault)) return fault;
  const why = fault.code === 'ENOENT' ? 'ENOENT, there is no such command' : String(fault.code);
  return new Error(`the server ${plainText(server.command[0] ?? '')} cannot be started: ${why}`, {
    cause: fault,
  });
}

/** Without the query, which may hold a key. */
function toolsOf(address: string): string {
  const { origin, pathname } = new URL(address);
  return `${origin}${pathname.replace(/\/$/, '')}/tools/NAME`;
}

/** Commands have addresses of their own: a payment for a tool of one must not go to another. */
function open(server: GuardedServer): { readonly transport: Transport; readonly address: string } {
  if ('url' in server) {
    const url = new URL(server.url);
    return { transport: new StreamableHTTPClientTransport(url), address: url.href };
  }
  const [command = '', ...args] = server.command;
  const env = Object.fromEntries(
    Object.entries(environment()).filter((one): one is [string, string] => one[1] !== undefined),
  );
  return {
    transport: new StdioClientTransport({ command, args, env, stderr: 'inherit' }),
    address: commandUrl(server.command).href,
  };
}

/** Longer than a server takes to verify and settle. */
const ROUNDS_MAX = 1_800;
const ROUND_MS = 50;

interface Unanswered {
  /** Resolves when no request of the client is under way, or after a while. */
  settled(): Promise<void>;
}

/** Passes messages on in both directions. */
function relay(here: StdioServerTransport, there: Transport): Unanswered {
  const unanswered = new Set<string | number>();
  let initializing: string | number | null = null;
  const answer = (message: JSONRPCMessage) => {
    if ('id' in message && !('method' in message) && message.id !== undefined) unanswered.delete(message.id);
    here.send(message).catch(() => {});
  };
  here.onmessage = (message) => {
    const id = 'id' in message && 'method' in message ? message.id : null;
    if (id !== null) unanswered.add(id);
    if (id !== null && 'method' in message && message.method === 'initialize') initializing = id;
    const given = 'method' in message && message.method === CANCELLED ? message.params?.['requestId'] : null;
    if (typeof given === 'string' || typeof given === 'number') unanswered.delete(given);
    there.send(message).catch(() => {
      // A request that was given up has no answer.
      if (id !== null && unanswered.has(id)) answer({ jsonrpc: '2.0', id, error: NO_ANSWER });
    });
  };
  there.onmessage = (message: JSONRPCMessage) => {
    if ('result' in message && message.id === initializing)
      tellVersion(there, message.result['protocolVersion']);
    answer(message);
  };
  return {
    async settled() {
      // A message that was read just before the end may not be under way yet, nor its answer written.
      for (let round = 0; round === 0 || (unanswered.size > 0 && round < ROUNDS_MAX); round += 1) {
        await wait(ROUND_MS);
      }
    },
  };
}

const CANCELLED = 'notifications/cancelled';
const NO_ANSWER = { code: -32_000, message: 'The server gave no answer.' } as const;

/** Over HTTP every later request names the version that both agreed on. */
function tellVersion(there: Transport, version: unknown): void {
  if ('setProtocolVersion' in there && typeof version === 'string') there.setProtocolVersion(version);
}
