import { z } from 'zod';
import type { Answer, Line } from './callers.ts';

/** How a question reaches the service: as a request of its own, or as a call of a tool. */
export type Way = 'http' | 'mcp';

const TOOLS: Readonly<Record<string, string>> = {
  '/v1/lookup': 'lookup',
  '/v1/lookup/paid': 'lookup',
  '/v1/products/endpoint-spot-check': 'endpoint_spot_check',
  '/v1/products/overnight-cos-pack': 'get_overnight_cos_pack',
};
const PAYMENT = 'payment-signature';

/**
 * The same line, on which a question for a path becomes a call of the tool that answers as it does, and the result an answer
 * again. So whoever buys and whoever checks need not know which of the two it was.
 */
export function mcpLine(line: Line): Line {
  return {
    ...line,
    async ask(base, path, { headers = {} } = {}) {
      const { [PAYMENT]: payment, ...others } = headers;
      const answer = await line.ask(base, '/mcp', {
        method: 'POST',
        headers: {
          ...others,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: callOf(path, payment) }),
      });
      return answer.status === 200 ? resultIn(answer) : answer;
    },
  };
}

function callOf(path: string, payment: string | undefined): object {
  const { pathname, searchParams } = new URL(path, 'http://127.0.0.1');
  const name = TOOLS[pathname];
  if (name === undefined) throw new Error(`no tool answers as ${pathname} does`);
  const _meta = payment === undefined ? {} : { 'x402/payment': JSON.parse(fromBase64(payment)) };
  return { name, arguments: Object.fromEntries(searchParams), _meta };
}

const spoken = z.object({
  result: z.object({
    isError: z.boolean().optional(),
    content: z.tuple([z.object({ text: z.string() })]),
    structuredContent: z.record(z.string(), z.unknown()),
    _meta: z.record(z.string(), z.unknown()).optional(),
  }),
});
const problem = z.object({ status: z.number() });
const requirement = z.object({ accepts: z.array(z.unknown()) });
/** What a tool never says, so nobody may take it for an answer. */
const UNREADABLE = 500;

function resultIn(answer: Answer): Answer {
  const read = spoken.safeParse(parsed(answer.text));
  if (!read.success) return { ...answer, status: UNREADABLE };
  const { isError = false, content, structuredContent, _meta = {} } = read.data.result;
  const [{ text }] = content;
  const status = isError ? statusOf(structuredContent) : 200;
  const settlement = _meta['x402/payment-response'];
  const headers: Readonly<Record<string, string>> = {
    ...(settlement === undefined ? {} : { 'payment-response': toBase64(JSON.stringify(settlement)) }),
    ...(status === 402 ? { 'payment-required': toBase64(text) } : {}),
  };
  return { status, text, from: answer.from, header: (name) => headers[name.toLowerCase()] ?? null };
}

/** A problem has its status in it; the price is told without one. */
function statusOf(told: object): number {
  if (requirement.safeParse(told).success) return 402;
  return problem.safeParse(told).data?.status ?? UNREADABLE;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const toBase64 = (text: string) => Buffer.from(text).toString('base64');
const fromBase64 = (text: string) => Buffer.from(text, 'base64').toString();
