import {
  type LoopbackAnswer,
  type LoopbackServer,
  serveLoopback,
} from '../../../src/sandbox/loopback-server.ts';

/**
 * What becomes of a request: the answer is lost although all was done, the request itself never arrives, or the node says
 * these words: instead of doing it, or after it has.
 */
export type Fate =
  | 'fine'
  | 'answer_lost'
  | 'request_lost'
  | { readonly instead: string }
  | { readonly afterwards: string };

export interface FragileNode extends LoopbackServer {
  treat(fateOf: (method: string) => Fate): void;
}

/** A node that passes everything on to another one, or does not. */
export async function startFragileNode(rpcUrl: string): Promise<FragileNode> {
  let fateOf: (method: string) => Fate = () => 'fine';
  const server = await serveLoopback({
    async handle({ body }) {
      const fate = fateOf(String(Object(JSON.parse(body)).method));
      if (fate === 'request_lost') return { kind: 'hang_up' };
      if (typeof fate === 'object' && 'instead' in fate) return rejection(fate.instead);
      const response = await fetch(rpcUrl, { method: 'POST', body });
      const answer = await response.text();
      if (fate === 'answer_lost') return { kind: 'hang_up' };
      return fate === 'fine' ? { kind: 'json', status: 200, body: answer } : rejection(fate.afterwards);
    },
  });
  return {
    ...server,
    treat(next) {
      fateOf = next;
    },
  };
}

function rejection(message: string): LoopbackAnswer {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32_000, message } });
  return { kind: 'json', status: 200, body };
}
