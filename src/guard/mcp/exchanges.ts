import type { JsonObject } from '../../core/x402/read-json.ts';
import { randomId } from '../sha256.ts';
import type { ClientTransport, SendOptions } from './client-transport.ts';
import { answeredIds, type MessageId } from './mcp-message.ts';

/** An answer of the server, and what its transport says beside it. */
export interface Answered {
  readonly message: JsonObject;
  readonly extra: unknown;
}

export interface Asking {
  readonly message: JsonObject;
  readonly id: MessageId;
  readonly options: SendOptions | undefined;
  /** The answer must come by this request; otherwise it is lost. */
  readonly isPaid: boolean;
  readonly signal: AbortSignal;
}

export interface Exchanges {
  /** Under a fresh id: the answer to the first sending may still come. */
  freshId(): MessageId;
  isWaitingFor(id: MessageId): boolean;
  /** Sends a request and waits for its answer. Rejects when the answer cannot come any more. */
  ask(asking: Asking): Promise<Answered>;
  /** True when the message was waited for, or is a late answer to a request that only the guard knows. */
  take(message: JsonObject, extra: unknown): boolean;
}

export function createExchanges(transport: Pick<ClientTransport, 'send'>): Exchanges {
  const waiting = new Map<MessageId, (answered: Answered) => void>();
  // A client may itself be guarded, and its ids must not be ours.
  const prefix = `assay-${randomId()}-`;
  let sent = 0;
  return {
    freshId() {
      sent += 1;
      return prefix + sent;
    },
    isWaitingFor: (id) => waiting.has(id),
    ask({ message, id, options, isPaid, signal }) {
      return new Promise<Answered>((resolve, reject) => {
        const onAbort = () => end(() => reject(signal.reason));
        const end = (finish: () => void) => {
          waiting.delete(id);
          signal.removeEventListener('abort', onAbort);
          finish();
        };
        if (signal.aborted) return onAbort();
        signal.addEventListener('abort', onAbort);
        waiting.set(id, (answered) => end(() => resolve(answered)));
        const lost = () => end(() => reject(new Error('the stream of the request ended without an answer')));
        const watched = isPaid ? { ...options, onRequestStreamEnd: lost } : options;
        // A transport may also throw at once.
        const send = async () => transport.send(message, watched);
        send().catch((fault: unknown) => end(() => reject(fault)));
      });
    },
    take(message, extra) {
      const ids = answeredIds(message);
      const [answer] = ids.flatMap((id) => waiting.get(id) ?? []);
      answer?.({ message, extra });
      return answer !== undefined || ids.some((id) => String(id).startsWith(prefix));
    },
  };
}
