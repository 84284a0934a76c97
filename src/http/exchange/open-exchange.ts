import type { Readable } from 'node:stream';
import { callerAddress, type TrustedProxies } from '../../core/access/caller-address.ts';
import { type Networks, networksOf } from '../../core/access/networks.ts';
import type { Question, ToolAnswer } from '../../wire/mcp/mcp-port.ts';
import { queryOf } from '../../wire/requests/query-parameters.ts';
import type { Pool } from '../admission/admission.ts';
import { type Answer, partsOf } from './answer.ts';
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
  readonly stay: Stay;
  /** Never rejects: faults become answers. */
  readonly answerPath: (exchange: Exchange, path: string, stay: Stay) => Promise<Answer>;
}

/** The pool that an exchange is counted in, once it is admitted. */
export interface Stay {
  pool: Pool | null;
}

/** A trailing slash is ignored; everything else must match exactly. */
function pathOf(target: string): string {
  const mark = target.indexOf('?');
  const path = mark === -1 ? target : target.slice(0, mark);
  return path.length > 1 && path[path.length - 1] === '/' ? path.slice(0, -1) : path;
}

export function openExchange(
  { method, target, address: peer, header, body }: Incoming,
  { linksFor, trusts, newRequestId }: ExchangeParts,
  { stay, answerPath }: Surroundings,
): Exchange {
  let address: string | null = null;
  let networks: Networks | null = null;
  const exchange: Exchange = {
    id: newRequestId(),
    method,
    path: pathOf(target),
    query: queryOf(target),
    body,
    links: linksFor(header('host')),
    callerAddress() {
      address ??=
        callerAddress(
          { peer, xForwardedFor: header('x-forwarded-for'), forwarded: header('forwarded') },
          trusts,
        ) ?? '';
      return address;
    },
    networks() {
      networks ??= networksOf(exchange.callerAddress());
      return networks;
    },
    header,
    isForModel: false,
    ask: async (question) =>
      toolAnswer(await answerPath(within(exchange, question), pathOf(question.target), { pool: null })),
    async idle(wait) {
      if (stay.pool !== null) stay.pool.count -= 1;
      try {
        return await wait;
      } finally {
        if (stay.pool !== null) stay.pool.count += 1;
      }
    },
    written: [],
    cost: { reads: 1 },
    facts: {},
  };
  return exchange;
}

/** The same caller at another path. Only the headers for payment and exemption are passed on. */
function within(exchange: Exchange, { target, paymentSignature, xPayment }: Question): Exchange {
  return {
    ...exchange,
    method: 'GET',
    isForModel: true,
    cost: { reads: 1 },
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
  const retryAfter = headers['retry-after'];
  return {
    status,
    text: partsOf(body ?? '').join(''),
    paymentResponse: headers['payment-response'] ?? null,
    retryAfterSeconds: retryAfter === undefined ? null : Number(retryAfter),
  };
}
