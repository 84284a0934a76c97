import { isJsonObject, type JsonObject, parseJson } from '../../core/x402/read-json.ts';
import type { Guard } from '../create-guard.ts';
import { GuardRefused } from '../guard-refused.ts';
import type { SendOptions } from './client-transport.ts';
import type { Answered, Exchanges } from './exchanges.ts';
import { bodyOf, type MessageId, messageToSend, resultType, scopeOf, type ToolCall } from './mcp-message.ts';
import { EVERY_FORM, formOf, headersOf, inForm, type PaymentForm, UNKNOWN_KEY } from './payment-form.ts';
import { type Requirement, requirementIn } from './requirement.ts';
import { answerOf, response402, responseOf } from './tool-answer.ts';

/** What the calls of one transport share. */
export interface Calling {
  readonly guard: Pick<Guard, 'for'>;
  readonly task: string | undefined;
  /** As headers, by which the guard tells callers apart. */
  readonly login: Readonly<Record<string, string>>;
  readonly exchanges: Exchanges;
  urlOf(tool: string): string;
  /** A refusal of the transport itself. `onDecision` hears of it as of one by the guard. */
  refuse(words: string, address: string): GuardRefused;
  /** The form in which this client sends payments, once it has sent one. */
  readonly learned: { form: PaymentForm | null };
}

/** A call under way. */
export interface CallUnderWay {
  readonly call: ToolCall;
  readonly options: SendOptions | undefined;
  readonly signal: AbortSignal;
  /** The id by which the server knows the request that it works on. */
  serverId: MessageId | null;
}

/** One `tools/call` as a guarded HTTP request. Rejects where the transport fails, as the transport itself would. */
export async function callGuarded(calling: Calling, underWay: CallUnderWay): Promise<Answered> {
  const { call, signal } = underWay;
  const url = calling.urlOf(call.name);
  const form = formOf(call.payments);
  if (form === null) return { message: refusal(call, calling.refuse(UNKNOWN_KEY, url)), extra: undefined };
  if (form.length > 0) calling.learned.form = form;
  const kept = new WeakMap<Response, Answered>();
  const seen: { requirement: Requirement | null; extra: unknown } = { requirement: null, extra: undefined };
  const { fetch } = calling.guard.for({
    ...(calling.task === undefined ? {} : { task: calling.task }),
    hasWitness: false,
    async fetch(_, init) {
      const headers = new Headers(init?.headers);
      const payment = headers.get('payment-signature') ?? headers.get('x-payment');
      const answered = await ask(calling, underWay, payment);
      const requirement = requirementIn(answered.message);
      Object.assign(seen, { requirement, extra: answered.extra });
      if (requirement !== null) return response402(requirement.text);
      const response = payment === null ? new Response() : responseOf(answered.message);
      kept.set(response, answered);
      return response;
    },
  });
  const assay = scopeOf(call);
  try {
    const headers = { ...calling.login, ...headersOf(call.payments) };
    const response = await fetch(url, {
      ...{ method: 'POST', body: bodyOf(call), headers, signal },
      ...(Object.keys(assay).length === 0 ? {} : { assay }),
    });
    const answered = kept.get(response);
    if (answered !== undefined) return answered;
    const { requirement, extra } = seen;
    if (response.status !== 402 || requirement === null) return { message: await answerOf(response), extra };
    return { message: requirement.show(documentIn(await response.text())), extra };
  } catch (fault) {
    if (fault instanceof GuardRefused) return { message: refusal(call, fault), extra: undefined };
    throw fault;
  }
}

/** Asks the server once, or, where it is not known how it takes payments, in every form: the same payment pays once. */
async function ask(calling: Calling, underWay: CallUnderWay, payment: string | null): Promise<Answered> {
  if (payment === null) return askOnce(calling, underWay, null);
  const { form } = calling.learned;
  const [first, ...others] = (form === null ? EVERY_FORM : [form]).map((one) => inForm(payment, one));
  let answered = await askOnce(calling, underWay, first ?? null);
  for (const other of others) {
    if (requirementIn(answered.message) === null) break;
    answered = await askOnce(calling, underWay, other);
  }
  return answered;
}

async function askOnce(
  { exchanges }: Calling,
  underWay: CallUnderWay,
  payments: JsonObject | null,
): Promise<Answered> {
  const { call, options, signal } = underWay;
  // The client's own id is used once.
  const isFirst = underWay.serverId === null && !exchanges.isWaitingFor(call.id);
  const id = isFirst ? call.id : exchanges.freshId();
  underWay.serverId = id;
  const message = messageToSend(call, id, payments ?? {});
  const how = isFirst ? options : { ...options, resumptionToken: undefined };
  return exchanges.ask({ message, id, options: how, isPaid: payments !== null, signal });
}

/** No structured content: clients hold it against the schema of the tool, and would not show the error. */
export function refusal(call: ToolCall, { code, purchaseId, message }: GuardRefused): JsonObject {
  return {
    result: {
      ...resultType(call),
      isError: true,
      content: [{ type: 'text', text: message }],
      _meta: { 'assay/refused': { code, purchaseId } },
    },
  };
}

function documentIn(text: string): JsonObject {
  const document = parseJson(text);
  return isJsonObject(document) ? document : {};
}
