import type { Ask, Told } from '../wire/mcp-door.ts';

/** Longer than a service may take to verify and to settle. */
const PATIENCE_MS = 90_000;
/** The pack with its PDF is by far the largest answer. */
const ANSWER_MAX_BYTES = 8_388_608;

/** What a tool is told when nobody answers. */
export const NOT_REACHED: Told = failure('service_unreachable', 'The service could not be reached.');
const NOT_UNDERSTOOD = failure('service_unreachable', 'What answered there is no such service.');
/** The payment was sent, and nobody said what became of it. A new one might be a second one. */
const PAYMENT_OPEN = failure(
  'settlement_pending',
  'It is not known whether this payment went through; send the same payment again, never a new one.',
);

/** What is the same here: the catalog comes with the program, while receipts are only where they were made. */
export function isShippedToo(target: string): boolean {
  return /^\/v1\/(?:services|tasks)\b/.test(target);
}

/** Asks a service over HTTP. Whatever goes wrong is an answer. */
export function askRemote(server: string): Ask {
  return async ({ target, paymentSignature, xPayment }) => {
    const isPaid = paymentSignature !== null || xPayment !== null;
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
      if (text === null || !isJsonObject(text)) return isPaid ? PAYMENT_OPEN : NOT_UNDERSTOOD;
      return { status: answer.status, text, paymentResponse: answer.headers.get('payment-response') };
    } catch {
      return isPaid ? PAYMENT_OPEN : NOT_REACHED;
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
  const problem = { title: 'No answer', status: 503, detail, code };
  return { status: 503, text: JSON.stringify(problem), paymentResponse: null };
}
