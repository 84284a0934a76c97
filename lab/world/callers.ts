import { Agent, request } from 'undici';

export interface Sent {
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
  /** Who gave it. */
  readonly from: string;
  header(name: string): string | null;
}

/** Asks for a path; throws when no answer comes. */
export type Ask = (path: string, sent?: Sent) => Promise<Answer>;

export interface Line {
  /** A question to the service at this address. */
  ask(base: string, path: string, sent?: Sent): Promise<Answer>;
  close(): Promise<void>;
}

/** Longer than any answer of a service that is well. */
const PATIENCE_MS = 40_000;

/** Connections of a client, which are kept and used again. */
export function openLine(): Line {
  const dispatcher = new Agent({
    connections: 64,
    pipelining: 1,
    headersTimeout: PATIENCE_MS,
    bodyTimeout: PATIENCE_MS,
    connectTimeout: 5_000,
  });
  return {
    async ask(base, path, { method = 'GET', headers = {}, body } = {}) {
      const sent = { method, headers: { ...headers }, ...(body === undefined ? {} : { body }) };
      const answer = await request(base + path, { ...sent, dispatcher });
      const text = await answer.body.text();
      return {
        status: answer.statusCode,
        text,
        from: base,
        header: (name) => [answer.headers[name.toLowerCase()] ?? []].flat().join(', ') || null,
      };
    },
    close: () => dispatcher.destroy(),
  };
}

/** The n-th caller of four million; every one has its own free share. */
export function callerAddress(n: number): string {
  return `100.${64 + ((n >> 16) & 63)}.${(n >> 8) & 255}.${n & 255}`;
}

/** Asks in the name of another caller. */
export function as(caller: number, ask: Ask): Ask {
  const from = { 'x-forwarded-for': callerAddress(caller) };
  return (path, sent = {}) => ask(path, { ...sent, headers: { ...sent.headers, ...from } });
}
