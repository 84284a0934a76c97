import type { Ask, Told } from '../wire/mcp-door.ts';

const PATIENCE_MS = 30_000;
/** The pack with its PDF is by far the largest answer. */
const ANSWER_MAX_BYTES = 8_388_608;

/** What a tool is told when nobody answers. */
export const NOT_REACHED: Told = failure('service_unreachable', 'The service could not be reached.');
const NOT_UNDERSTOOD = failure('service_unreachable', 'What answered there is no such service.');

/** These never cost anything, so a local copy may stand in. */
export function isFree(target: string): boolean {
  return /^\/v1\/(?:services|receipts|tasks|skips)\b/.test(target);
}

/** Asks a service over HTTP. Whatever goes wrong is an answer. */
export function askRemote(server: string): Ask {
  return async ({ target, paymentSignature, xPayment }) => {
    const headers = Object.fromEntries(
      Object.entries({
        accept: 'application/json',
        'payment-signature': paymentSignature,
        'x-payment': xPayment,
      }).flatMap(([name, value]): [string, string][] => (value === null ? [] : [[name, value]])),
    );
    try {
      const signal = AbortSignal.timeout(PATIENCE_MS);
      // A payment must not travel to wherever a redirect points.
      const answer = await fetch(server + target, { headers, redirect: 'error', signal });
      const text = await boundedText(answer);
      if (text === null || !isJsonObject(text)) return NOT_UNDERSTOOD;
      return { status: answer.status, text, paymentResponse: answer.headers.get('payment-response') };
    } catch {
      return NOT_REACHED;
    }
  };
}

async function boundedText({ body }: Response): Promise<string | null> {
  if (body === null) return null;
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.byteLength;
    if (length > ANSWER_MAX_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

function failure(code: string, detail: string): Told {
  const problem = { title: 'Service unreachable', status: 503, detail, code };
  return { status: 503, text: JSON.stringify(problem), paymentResponse: null };
}
