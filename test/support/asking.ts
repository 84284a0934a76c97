import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import type { Store } from '../../src/adapters/store/store.ts';
import type { PaidCall } from '../../src/core/known-answer/paid-call.ts';
import { microUsd } from '../../src/core/money/micro-usd.ts';
import { aCall } from '../../tools/samples/catalog.ts';
import { ENTRY, header } from '../../tools/samples/challenge.ts';
import { httpAnswer, type Script } from './probing/fake-seller.ts';
import { scriptedSeller } from './probing/scripted-seller.ts';
import {
  type Ask,
  BASE_URL,
  NOON,
  type Received,
  SELF_TEST_KEY,
  type ServiceOptions,
  startService,
  type TestService,
} from './running/running-service.ts';

export const LOOKUP = '/v1/lookup';
export const LOOKUP_PAID = '/v1/lookup/paid';
export const SPOT_CHECK = '/v1/products/endpoint-spot-check';
export const PACK = '/v1/products/overnight-cos-pack';

/** With the operator's self-test key (gap G05). */
export const EXEMPT = { authorization: `Bearer ${SELF_TEST_KEY}` };

export interface Served extends Pick<TestService, 'store' | 'sellerRequests' | 'faults' | 'address'> {
  readonly ask: Ask;
  at(moment: string): void;
}

/** One service for all tests of a suite; every test begins at noon. */
export function useService(options: ServiceOptions): Served {
  const running: TestService[] = [];
  const its = (): TestService => {
    const [service] = running;
    if (service === undefined) throw new Error('the service is not started yet');
    return service;
  };
  beforeAll(async () => {
    // Ample time to answer: on a busy machine only what never answers shall time out.
    running.push(await startService({ timeoutMs: 5_000, ...options }));
  });
  beforeEach(() => {
    its().clock.now = NOON;
  });
  afterAll(() => its().close());
  return {
    ask: (path, sent) => its().ask(path, sent),
    at(moment) {
      its().clock.now = new Date(moment);
    },
    get store() {
      return its().store;
    },
    get sellerRequests() {
      return its().sellerRequests;
    },
    get faults() {
      return its().faults;
    },
    get address() {
      return its().address;
    },
  };
}

/** The path of a check of this URL. */
export function checkOf(url: string, parameters: Readonly<Record<string, string>> = {}): string {
  return `${SPOT_CHECK}?${new URLSearchParams({ url, ...parameters })}`;
}

/** An error body, whole, as gap G60 has it. */
export function expectProblem(answer: Received, status: number, code: string, field?: string): void {
  expect([answer.status, answer.json.code, answer.json.field]).toEqual([status, code, field]);
  expect(answer.header('content-type')).toBe('application/problem+json; charset=utf-8');
  expect(answer.header('cache-control')).toBe('no-store');
  expect(answer.json).toMatchObject({
    type: `${BASE_URL}/problems#${code}`,
    title: expect.stringMatching(/^[A-Z]/),
    status,
    detail: expect.stringMatching(/\.$/),
    instance: answer.header('x-request-id'),
    error: answer.json.detail,
  });
}

/** What our own 402 asks for, in atomic units. */
export function priceIn(answer: Received): string {
  expect(answer.status).toBe(402);
  return answer.json.accepts[0].amount;
}

/** A seller with answers of its own by the first segment of the path, beside the usual ones. */
export function sellerWith(answers: Readonly<Record<string, Buffer>>): Script {
  const known = new Map(Object.entries(answers));
  return (socket, request) => {
    const answer = known.get(/^\S+ \/([^/?\s]*)/.exec(request)?.[1] ?? '');
    if (answer === undefined) scriptedSeller(socket, request);
    else socket.end(answer);
  };
}

/** A 402 with one entry, different from the honest one in this. */
export function asking(changes: object): Buffer {
  return httpAnswer(402, [header({ x402Version: 2, accepts: [{ ...ENTRY, ...changes }] })]);
}

const NO_CAP = { perDay: microUsd(1_000_000_000n), total: microUsd(1_000_000_000n) };

/** Calls that the service paid for itself, one after the other. */
export async function storeCalls(
  { paidCalls }: Pick<Store, 'paidCalls'>,
  serviceId: string,
  calls: readonly Partial<PaidCall>[],
): Promise<void> {
  for (const [index, changes] of calls.entries()) {
    const call = aCall(changes);
    const id = `${serviceId}-${index}-${call.calledAt.getTime()}`;
    const begun = {
      id,
      serviceId,
      calledAt: call.calledAt,
      amount: microUsd(10_000n),
      payTo: call.payTo ?? '',
    };
    if ((await paidCalls.begin(begun, NO_CAP)) !== 'begun') throw new Error(`${id} was not begun`);
    await paidCalls.finish(id, call, { bodySha256: null, body: null });
  }
}
