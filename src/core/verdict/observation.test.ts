import { describe, expect, it } from 'vitest';
import { ENTRY, header, paywall } from '../../../tools/samples/challenge.ts';
import { diagnosticsOf, isServed, observe } from './observation.ts';
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
  const { evidence, refusal, input, diagnostics: _, ...rest } = Object(observe(ANSWERED));
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
  ['the first status of one', 400, [], null, { allow: null, missing: [] }],
  ['the last status of one', 499, [['Allow', 'GET POST']], null, { allow: ['GET', 'POST'] }],
  ['nothing in a status below', 399, [['Allow', 'POST']], null, null],
  ['nothing in a status above', 500, [['Allow', 'POST']], null, null],
  ['nothing in a 402', 402, [['Allow', 'POST']], { missing: ['q'] }, null],
  ['nothing in a 200', 200, [['Allow', 'POST']], { missing: ['q'] }, null],
])('reads of a refusal: %s', (_, status, headers, body, refusal) => {
  const said = body === null ? new Uint8Array() : Buffer.from(JSON.stringify(body));
  const observed = observe({ ...ANSWERED, status, headers, body: said });
  if (refusal === null) expect(observed).toMatchObject({ refusal: null });
  else expect(observed).toMatchObject({ refusal });
});

it('reads no names in half of a refusal', () => {
  const body = Buffer.from('{"missing":["q"]}');
  expect(observe({ ...ANSWERED, status: 400, body, bodyComplete: false })).toMatchObject({
    refusal: { missing: [] },
  });
});

it.each<[ProbeOutcome, boolean]>([
  [{ ...ANSWERED, status: 200 }, true],
  [{ ...ANSWERED, status: 299 }, true],
  [{ ...ANSWERED, status: 199 }, false],
  [{ ...ANSWERED, status: 300 }, false],
  [ANSWERED, false],
  [{ kind: 'timed_out' }, false],
])('%o is served: %s', (outcome, served) => {
  expect(isServed(observe(outcome))).toBe(served);
});

it('keeps an outcome without an answer as it is', () => {
  expect(readOutcome({ kind: 'timed_out' })).toEqual({ kind: 'timed_out' });
});

describe('what a seller has to change', () => {
  const codesOf = (outcome: ProbeOutcome, probedAt?: Date) =>
    diagnosticsOf(observe(outcome, probedAt)).map(({ code }) => code);
  const EXPIRING = paywall([{ ...ENTRY, validBefore: 1_700_000_000 }]);

  it.each<[string, ProbeOutcome, string[]]>([
    ['nothing where the terms are approved', paywall([ENTRY]), []],
    ['nothing where there is no answer', { kind: 'timed_out' }, []],
    ['header fields that are too large', { kind: 'headers_too_large' }, ['headers_too_large']],
    ['a challenge that cannot be read', ANSWERED, ['accepts_empty', 'resource_missing']],
    [
      'a challenge that is refused',
      paywall([{ ...ENTRY, amount: '0' }]),
      ['amount_zero', 'resource_missing'],
    ],
  ])('is %s', (_, outcome, codes) => {
    expect(codesOf(outcome)).toEqual(codes);
  });

  it('depends on the time where the terms have one', () => {
    expect(codesOf(EXPIRING, new Date(1_699_999_999_000))).toEqual([]);
    expect(codesOf(EXPIRING, new Date(1_700_000_000_000))).toContain('terms_expired');
  });
});
