import { ENTRY, header } from '../../../tools/samples/challenge.ts';
import { httpAnswer, type Script } from './fake-seller.ts';

const PAYWALL = httpAnswer(402, [header({ x402Version: 2, accepts: [ENTRY] })]);
const MISSING = httpAnswer(422, [], JSON.stringify({ detail: [{ loc: ['body', 'city'] }] }));

/** A seller that looks at the request before it asks for money. The path says how. */
export const carefulSeller: Script = (socket, request) => {
  const [, method = '', path = '/'] = /^(\S+) (\S+)/.exec(request) ?? [];
  const [, name = '', value = ''] = path.split(/[/?]/);
  const body = request.slice(request.indexOf('\r\n\r\n') + 4);
  socket.end(
    answerTo(name, { method, value, hasQuery: path.includes('q='), hasCity: body.includes('"city"'), body }),
  );
};

interface Asked {
  readonly method: string;
  readonly value: string;
  readonly hasQuery: boolean;
  readonly hasCity: boolean;
  readonly body: string;
}

function answerTo(name: string, { method, value, hasQuery, hasCity, body }: Asked): Buffer {
  switch (name) {
    case 'query':
      return hasQuery ? PAYWALL : httpAnswer(400, [], '{"field":"q"}');
    case 'body':
      return hasCity ? PAYWALL : MISSING;
    // It knows one city, and answers a ping to anybody.
    case 'bern':
      if (body.includes('"ping"')) return httpAnswer(200, [], '{}');
      if (!hasCity) return MISSING;
      return body.includes('Bern') ? PAYWALL : httpAnswer(404, []);
    case 'post-only':
      return method === 'POST' ? PAYWALL : httpAnswer(405, [['Allow', 'POST']]);
    case 'item':
      return value === '7' ? PAYWALL : httpAnswer(404, []);
    case 'login':
      return httpAnswer(401, []);
    case 'busy':
      return httpAnswer(429, []);
    // It serves whoever asks properly, for nothing.
    case 'open':
    case 'send':
      return hasCity ? httpAnswer(200, [], '{"done":true}') : MISSING;
    // It does what it does at once.
    case 'act':
      return httpAnswer(200, [], '{"done":true}');
    case 'honest':
      return PAYWALL;
    default:
      return httpAnswer(400, []);
  }
}

/** Method, path and body of raw requests. */
export function askedOf(requests: readonly string[]): string[] {
  return requests.map((request) => {
    const [, line = ''] = /^(\S+ \S+)/.exec(request) ?? [];
    const body = request.slice(request.indexOf('\r\n\r\n') + 4);
    return body === '' ? line : `${line} ${body}`;
  });
}
