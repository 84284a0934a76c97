import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type DescribedAnswers,
  describedAnswers,
  type Json,
  type Operation,
} from '../../support/clients/described-answers.ts';
import { type Received, startService, type TestService } from '../../support/running/running-service.ts';

const running: { service?: TestService; answers?: DescribedAnswers } = {};

beforeAll(async () => {
  running.service = await startService();
  running.answers = describedAnswers((await running.service.ask('/openapi.json')).json);
});

afterAll(() => running.service?.close());

function started() {
  const { service, answers } = running;
  if (service === undefined || answers === undefined) throw new Error('the service is not started');
  return { service, ...answers };
}

/** Nothing is free there. */
const PAID: ReadonlySet<string> = new Set([
  'GET /v1/lookup/paid',
  'GET /v1/products/overnight-cos-pack',
  'POST /v1/products/overnight-cos-pack',
]);
/** There is no snapshot before a crawl, and the service of the examples is listed without a payee. */
const AFTER_A_CRAWL = [
  'GET /v1/payees/{address}',
  'GET /v1/snapshot',
  'GET /snapshot/{sha256}.bin',
  'GET /snapshot/{sha256}/{part}.bin',
  'GET /snapshot/{from}-{to}.delta',
];
/** Only the owner of a host can sign, and only for some minutes. */
const SIGNED = ['POST /v1/sellers'];

/** A document cannot say that one of two parameters must be sent, or that one needs another. */
const NEEDED = new Map([
  ['/v1/lookup', 'task'],
  ['/v1/receipts', 'type'],
]);

interface Call {
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** One call with what must be sent, and one more for each example of something that may be. */
function* callsOf({ path, described }: Operation, linked: (name: string) => unknown): Generator<Call> {
  const { followed } = started();
  const parameters: Json[] = (described.parameters ?? []).map(followed);
  const valued = parameters.map((one) => ({ ...one, value: one.example ?? linked(one.name) }));
  const must = valued.filter(({ required, name }) => required || NEEDED.get(path) === name);
  const bodies = bodiesOf(described, followed);
  for (const body of bodies.length === 0 ? [undefined] : bodies) yield callWith(path, must, body);
  for (const one of valued) {
    if (!must.includes(one) && one.value !== undefined) yield callWith(path, [...must, one], bodies[0]);
  }
}

function bodiesOf({ requestBody }: Json, followed: (node: Json) => Json): unknown[] {
  const { example, examples = {} } = requestBody?.content['application/json'] ?? {};
  const values = Object.values<Json>(examples).map((one) => followed(one).value);
  return example === undefined ? values : [...values, example];
}

function callWith(path: string, parameters: readonly Json[], body: unknown): Call {
  const of = (place: string): [string, string][] =>
    parameters.filter((one) => one.in === place).map(({ name, value }) => [name, String(value)]);
  const filled = of('path').reduce((text, [name, value]) => text.replace(`{${name}}`, value), path);
  const query = new URLSearchParams(of('query')).toString();
  const headers = Object.fromEntries(of('header'));
  const target = query === '' ? filled : `${filled}?${query}`;
  if (body === undefined) return { target, headers };
  return {
    target,
    headers: { ...headers, 'content-type': 'application/json', host: 'assay.example.org' },
    body: JSON.stringify(body),
  };
}

/** The value of a parameter in the answer that links to it. */
function linkedValue(answers: ReadonlyMap<string, Received>, operationId: string): (name: string) => unknown {
  return (name) => {
    for (const { name: source, described } of started().operations) {
      for (const link of Object.values<Json>(described.responses[200]?.links ?? {})) {
        const pointer = link.operationId === operationId ? link.parameters[name] : undefined;
        const answer = answers.get(source);
        if (pointer === undefined || answer?.status !== 200) continue;
        const steps = String(pointer).replace('$response.body#/', '').split('/');
        return steps.reduce((found: Json, step) => found?.[step], answer.json) ?? undefined;
      }
    }
    return undefined;
  };
}

/** Everything that is wrong with the answer. */
async function sent(operation: Operation, call: Call, answers: Map<string, Received>): Promise<string[]> {
  const { service, faults } = started();
  const { name, method } = operation;
  const { target, ...rest } = call;
  const answer = await service.ask(target, { method, ...rest });
  await service.logKeeper.round();
  if (!answers.has(name)) answers.set(name, answer);
  const { status, text } = answer;
  const wrong = faults(operation, {
    status,
    text,
    contentType: answer.header('content-type'),
  });
  return status === statusOf(name, call) ? wrong : [`${method} ${target}: ${status} ${text}`, ...wrong];
}

function statusOf(name: string, { body }: Call): number {
  if (PAID.has(name)) return 402;
  const isNotification = name === 'POST /mcp' && body?.includes('"id"') === false;
  return isNotification ? 202 : 200;
}

describe('the examples of /openapi.json, sent to a service that has just started', () => {
  it('get the documented answer, and nothing is left out', async () => {
    const { operations } = started();
    const later = [...AFTER_A_CRAWL, ...SIGNED];
    const answers = new Map<string, Received>();
    const wrong: string[] = [];
    for (const operation of operations.filter(({ name }) => !later.includes(name))) {
      const linked = linkedValue(answers, operation.described.operationId);
      const calls = [...callsOf(operation, linked)];
      for (const call of calls) wrong.push(...(await sent(operation, call, answers)));
    }
    expect(wrong).toEqual([]);
    expect(operations.map(({ name }) => name).filter((name) => !answers.has(name))).toEqual(later);
  });

  it('are missing only where an earlier answer has the value', () => {
    const { operations, followed } = started();
    const unknown = operations.flatMap(({ name, described }) =>
      (described.parameters ?? [])
        .map(followed)
        .filter((one: Json) => one.required && one.example === undefined)
        .map((one: Json) => `${name} ${one.name}`),
    );
    expect(unknown).toEqual([
      'GET /v1/receipts/{id} id',
      'GET /v1/receipts/{id}/statement id',
      'GET /v1/receipts/{id}/proof id',
      'GET /v1/receipts/{id}/proof.tlog-proof id',
      'GET /snapshot/{sha256}.bin sha256',
      'GET /snapshot/{sha256}/{part}.bin sha256',
      'GET /snapshot/{from}-{to}.delta from',
      'GET /snapshot/{from}-{to}.delta to',
    ]);
  });
});
