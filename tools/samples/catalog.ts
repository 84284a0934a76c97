import { type Service, service } from '../../src/core/catalog/read-catalog.ts';
import { type KnownAnswerTest, knownAnswerTest } from '../../src/core/known-answer/known-answer-test.ts';
import type { PaidCall } from '../../src/core/known-answer/paid-call.ts';
import { microUsd } from '../../src/core/money/micro-usd.ts';

/** The data of a service as a catalog file has it. */
export const SERVICE_DATA = {
  id: 'plain-weather',
  name: 'Plain Weather',
  provider: 'Example Instruments',
  category: 'weather',
  description: 'Current temperature and wind for a pair of coordinates.',
  endpoint: 'https://weather.example.com/v1/now',
  method: 'GET',
  price_usd: '0.01',
  network: 'eip155:8453',
  tasks: ['weather'],
  source: { list: 'a-list', seen_on: '2026-11-01' },
};

export function aService(changes: object = {}): Service {
  return service.parse({ ...SERVICE_DATA, ...changes });
}

export function aCall(changes: Partial<PaidCall> = {}): PaidCall {
  return {
    calledAt: new Date('2026-11-15T06:00:00.000Z'),
    tx: `0x${'ab'.repeat(32)}`,
    charged: microUsd(10_000n),
    payTo: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
    delivered: true,
    ourFault: false,
    quality: 'pass',
    qualityReason: 'the check passed',
    httpStatus: 200,
    latencyMs: 120,
    ...changes,
  };
}

/** A test whose references are all declared; what a source would say does not matter to the grader. */
export function aTest(...predicates: object[]): KnownAnswerTest {
  const names = predicates.flatMap((one) =>
    'to' in one ? [Object(one.to).reference].filter((name) => name !== undefined) : [],
  );
  const declared = Object.fromEntries(names.map((name) => [name, { kind: 'clock', as: 'iso' }]));
  return knownAnswerTest.parse({ input: 'a request', pass_if: 'a rule', predicates, references: declared });
}
