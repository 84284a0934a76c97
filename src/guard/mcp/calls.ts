import { isJsonObject, type JsonObject, member } from '../../core/x402/read-json.ts';
import type { SendOptions } from './client-transport.ts';
import type { Answered } from './exchanges.ts';
import { type Calling, type CallUnderWay, callGuarded, refusal } from './guarded-call.ts';
import { answeredIds, idOf, type MessageId, type ToolCall } from './mcp-message.ts';

/** The tool calls of a client that are under way, by its own ids. */
export interface Calls {
  /** Ends when the client has its answer. */
  begin(call: ToolCall, options: SendOptions | undefined): Promise<void>;
  /** An answer that nobody judged: the server's second one, or one to an id that it guessed. */
  isLate(message: JsonObject): boolean;
  /** Null unless the client gives up a call; then the id by which the server knows it, if it works on it. */
  cancelledBy(message: JsonObject): { readonly requestId: MessageId | null; readonly end: () => void } | null;
  /** No answer can come any more. What has come is still judged and delivered; null when nothing is under way. */
  end(reason: Error): Promise<unknown> | null;
}

const CALLS_MAX = 1_000;

interface OpenCall extends CallUnderWay {
  readonly giveUp: AbortController;
  ended: Promise<void>;
}

export function createCalls(calling: Calling, deliver: (answered: Answered) => void): Calls {
  const open = new Map<MessageId, OpenCall>();
  const isAsked = ({ serverId }: CallUnderWay) =>
    serverId !== null && calling.exchanges.isWaitingFor(serverId);
  const run = async (underWay: OpenCall, answerWith: (answered: Answered) => void) => {
    try {
      const answered = await callGuarded(calling, underWay);
      if (!underWay.signal.aborted) answerWith(answered);
    } finally {
      open.delete(underWay.call.id);
    }
  };
  return {
    async begin(call, options) {
      const answerWith = ({ message, extra }: Answered) =>
        deliver({ message: { jsonrpc: '2.0', ...message, id: call.id }, extra });
      if (open.has(call.id)) throw new Error('a call with this id is under way');
      if (open.size >= CALLS_MAX) {
        const refused = calling.refuse('Too many calls are in progress.', calling.urlOf(call.name));
        return answerWith({ message: refusal(call, refused), extra: undefined });
      }
      const underWay = newCall(call, options);
      open.set(call.id, underWay);
      underWay.ended = run(underWay, answerWith);
      return underWay.ended;
    },
    isLate: (message) => answeredIds(message).some((id) => open.has(id)),
    cancelledBy(message) {
      const params = member(message, 'params');
      const id = isJsonObject(params) ? idOf({ id: member(params, 'requestId') }) : null;
      const given =
        member(message, 'method') === 'notifications/cancelled' && id !== null ? open.get(id) : null;
      if (given == null) return null;
      const end = () => given.giveUp.abort(new Error('the client gave up the call'));
      return { requestId: isAsked(given) ? given.serverId : null, end };
    },
    end(reason) {
      const all = [...open.values()];
      for (const one of all) if (isAsked(one)) one.giveUp.abort(reason);
      return all.length === 0 ? null : Promise.allSettled(all.map(({ ended }) => ended));
    },
  };
}

function newCall(call: ToolCall, options: SendOptions | undefined): OpenCall {
  const giveUp = new AbortController();
  const theirs = options?.requestSignal;
  const signal = theirs === undefined ? giveUp.signal : AbortSignal.any([giveUp.signal, theirs]);
  return { call, options, signal, giveUp, serverId: null, ended: Promise.resolve() };
}
