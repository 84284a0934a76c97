import { parseDecimal } from '../../core/log/checkpoint.ts';
import type { AskWitness, WitnessReply } from '../../ports/log/ask-witness.ts';
import { readText } from '../http-client/read-text.ts';

const TIMEOUT_MS = 2_000;
/** Room for many cosignature lines. */
const REPLY_MAX_BYTES = 65_536;

/** Only for addresses that the operator has configured. `url` is the submission prefix. */
export const askHttpWitness: AskWitness = async (url, body) => {
  try {
    const response = await fetch(`${url.replace(/\/+$/, '')}/add-checkpoint`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain; charset=utf-8' },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await readText(response, REPLY_MAX_BYTES);
    return text === null ? { kind: 'failed', why: 'the answer is too long' } : replyOf(response, text);
  } catch (fault) {
    return { kind: 'failed', why: isTimeout(fault) ? 'no answer in time' : 'cannot be reached' };
  }
};

function replyOf({ status, headers }: Response, text: string): WitnessReply {
  switch (status) {
    case 200:
      return { kind: 'cosigned', lines: text };
    case 409: {
      // Proxies answer 409, too: only the type of the specification is a size.
      const isSize = headers.get('content-type')?.trim() === 'text/x.tlog.size' && text.endsWith('\n');
      const size = isSize ? parseDecimal(text.slice(0, -1)) : null;
      return size === null
        ? { kind: 'failed', why: 'status 409 without a size' }
        : { kind: 'conflict', size };
    }
    case 422:
      return { kind: 'inconsistent' };
    default:
      return { kind: 'failed', why: `status ${status}` };
  }
}

function isTimeout(fault: unknown): boolean {
  return fault instanceof Error && fault.name === 'TimeoutError';
}
