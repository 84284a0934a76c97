import type { Readable } from 'node:stream';
import { callerAddress, type TrustedProxies } from '../../core/access/caller-address.ts';
import type { Question, Told } from '../../wire/mcp/mcp-port.ts';
import { queryOf } from '../../wire/requests/query-parameters.ts';
import { type Answer, bytesOf, fieldOf } from '../answer.ts';
import type { Exchange } from './exchange.ts';
import type { LinksFor } from './public-addresses.ts';

/** A request as it came in. */
export interface Incoming {
  readonly method: string;
  /** Path and query, such as /v1/tasks?x=1. */
  readonly target: string;
  /** The other end of the connection. */
  readonly address: string;
  header(name: string): string | null;
  readonly body: Readable;
}

export interface ExchangeParts {
  readonly linksFor: LinksFor;
  readonly trusts: TrustedProxies;
  readonly newRequestId: () => string;
}

/** What the exchange needs from the app that it belongs to. */
interface Surroundings {
  /** How many requests are under way, apart from those that wait for their own caller. */
  readonly places: { taken: number };
  /** Faults become answers. */
  readonly answerWithin: (exchange: Exchange, path: string) => Promise<Answer>;
}

/** A slash at the end changes nothing; everything else has to be spelled as it is. */
export function pathOf(target: string): string {
  const mark = target.indexOf('?');
  const path = mark === -1 ? target : target.slice(0, mark);
  return path.length > 1 && path[path.length - 1] === '/' ? path.slice(0, -1) : path;
}

export function openExchange(
  { method, target, address, header, body }: Incoming,
  { linksFor, trusts, newRequestId }: ExchangeParts,
  { places, answerWithin }: Surroundings,
): Exchange {
  const exchange: Exchange = {
    id: newRequestId(),
    method,
    query: queryOf(target),
    body,
    links: linksFor(header('host')),
    // Worked out when it is asked for: most routes never want to know.
    callerAddress() {
      const hops = {
        peer: address,
        xForwardedFor: header('x-forwarded-for'),
        forwarded: header('forwarded'),
      };
      return callerAddress(hops, trusts) ?? '';
    },
    header,
    ask: async (question) => told(await answerWithin(within(exchange, question), pathOf(question.target))),
    async idle(wait) {
      // Begun within a request that holds a place, which it has again when this is over.
      await null;
      places.taken -= 1;
      try {
        return await wait;
      } finally {
        places.taken += 1;
      }
    },
    facts: {},
  };
  return exchange;
}

/** The same caller at another path. Of its headers only those go along that say who pays and who may do so for free. */
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

/** An answer as a tool wants it. */
export function told(answer: Answer): Told {
  const { status, body } = answer;
  const text = typeof body === 'string' ? body : bytesOf(body).toString();
  return { status, text, paymentResponse: fieldOf(answer, 'payment-response') };
}
