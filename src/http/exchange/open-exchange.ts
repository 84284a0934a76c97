import type { Readable } from 'node:stream';
import { callerAddress, type TrustedProxies } from '../../core/access/caller-address.ts';
import type { Question, ToolAnswer } from '../../wire/mcp/mcp-port.ts';
import { queryOf } from '../../wire/requests/query-parameters.ts';
import type { Answer } from './answer.ts';
import type { Exchange } from './exchange.ts';
import type { LinksFor } from './links-for.ts';

/** A request as received. */
export interface Incoming {
  readonly method: string;
  /** Path and query, such as /v1/tasks?x=1. */
  readonly target: string;
  /** The remote address of the connection. */
  readonly address: string;
  header(name: string): string | null;
  readonly body: Readable;
}

export interface ExchangeParts {
  readonly linksFor: LinksFor;
  readonly trusts: TrustedProxies;
  readonly newRequestId: () => string;
}

/** What an exchange needs from its app. */
interface Surroundings {
  /** Requests in flight, without those that wait for their caller. */
  readonly inFlight: { count: number };
  /** Never rejects: faults become answers. */
  readonly answerPath: (exchange: Exchange, path: string) => Promise<Answer>;
}

/** A trailing slash is ignored; everything else must match exactly. */
export function pathOf(target: string): string {
  const mark = target.indexOf('?');
  const path = mark === -1 ? target : target.slice(0, mark);
  return path.length > 1 && path[path.length - 1] === '/' ? path.slice(0, -1) : path;
}

export function openExchange(
  { method, target, address, header, body }: Incoming,
  { linksFor, trusts, newRequestId }: ExchangeParts,
  { inFlight, answerPath }: Surroundings,
): Exchange {
  const exchange: Exchange = {
    id: newRequestId(),
    method,
    query: queryOf(target),
    body,
    links: linksFor(header('host')),
    // Computed on demand: most routes do not need it.
    callerAddress() {
      const hops = {
        peer: address,
        xForwardedFor: header('x-forwarded-for'),
        forwarded: header('forwarded'),
      };
      return callerAddress(hops, trusts) ?? '';
    },
    header,
    ask: async (question) =>
      toolAnswer(await answerPath(within(exchange, question), pathOf(question.target))),
    async idle(wait) {
      inFlight.count -= 1;
      try {
        return await wait;
      } finally {
        inFlight.count += 1;
      }
    },
    facts: {},
  };
  return exchange;
}

/** The same caller at another path. Only the headers for payment and exemption are passed on. */
function within(exchange: Exchange, { target, paymentSignature, xPayment }: Question): Exchange {
  return {
    ...exchange,
    method: 'GET',
    query: queryOf(target),
    header(name) {
      if (name === 'payment-signature') return paymentSignature;
      if (name === 'x-payment') return xPayment;
      return name === 'authorization' ? exchange.header(name) : null;
    },
  };
}

/** The parts of an answer that an MCP tool needs. */
export function toolAnswer({ status, headers, body }: Answer): ToolAnswer {
  return { status, text: String(body ?? ''), paymentResponse: headers['payment-response'] ?? null };
}
