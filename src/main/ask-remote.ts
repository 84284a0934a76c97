import { serviceAt } from '../cli/ask/ask-service.ts';
import { isJsonObject } from '../core/x402/read-json.ts';
import type { Ask, Told } from '../wire/mcp/mcp-port.ts';

/** Longer than a service may take to verify and to settle. */
const PATIENCE_SECONDS = 90;

/** What a tool is told when nobody answers. */
export const NOT_REACHED: Told = failure('service_unreachable', 'The service could not be reached.');
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
  const service = serviceAt(server, PATIENCE_SECONDS, { fetch, stop: new AbortController().signal });
  return async ({ target, paymentSignature, xPayment }) => {
    const payment = { 'payment-signature': paymentSignature, 'x-payment': xPayment };
    const headers = Object.entries(payment).flatMap(([name, value]): [string, string][] =>
      value === null ? [] : [[name, value]],
    );
    const asked = await service.ask(target, {}, Object.fromEntries(headers));
    if (asked.kind === 'answered' && isJsonObject(asked.json)) {
      const { status, text, paymentResponse } = asked;
      return { status, text, paymentResponse };
    }
    return headers.length > 0 ? PAYMENT_OPEN : NOT_REACHED;
  };
}

function failure(code: string, detail: string): Told {
  const problem = { title: 'No answer', status: 503, detail, code };
  return { status: 503, text: JSON.stringify(problem), paymentResponse: null };
}
