import { expect, it } from 'vitest';
import { header } from '../../../tools/samples/challenge.ts';
import { observe } from './observation.ts';
import type { ProbeOutcome } from './probe-outcome.ts';
import { readOutcome } from './reading.ts';

const ANSWERED: ProbeOutcome = {
  kind: 'answered',
  status: 402,
  headers: [header({ x402Version: 2, accepts: [] })],
  body: new Uint8Array(),
  bodyComplete: true,
};

it('reads the same from an outcome with and without evidence', () => {
  const { evidence, refusal, input, ...rest } = Object(observe(ANSWERED));
  expect(readOutcome(ANSWERED)).toEqual(rest);
  expect([refusal, input]).toEqual([null, null]);
  expect(evidence.paymentRequiredSha256).toMatch(/^[0-9a-f]{64}$/);
});

it.each<[string, number, [string, string][], unknown, object | null]>([
  [
    'the methods that a probe may use',
    405,
    [
      ['Allow', 'post, PUT'],
      ['Allow', 'GET'],
    ],
    null,
    { allow: ['GET', 'POST'] },
  ],
  ['none of them', 405, [['Allow', '']], null, { allow: [] }],
  ['nothing about methods', 400, [], { missing: ['q'] }, { allow: null, missing: ['q'] }],
  ['nothing in a 402', 402, [['Allow', 'POST']], { missing: ['q'] }, null],
  ['nothing in a 200', 200, [['Allow', 'POST']], { missing: ['q'] }, null],
])('reads of a refusal: %s', (_, status, headers, body, refusal) => {
  const said = body === null ? new Uint8Array() : Buffer.from(JSON.stringify(body));
  const observed = observe({ ...ANSWERED, status, headers, body: said });
  if (refusal === null) expect(observed).toMatchObject({ refusal: null });
  else expect(observed).toMatchObject({ refusal });
});

it('keeps an outcome without an answer as it is', () => {
  expect(readOutcome({ kind: 'timed_out' })).toEqual({ kind: 'timed_out' });
});
