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
  const { evidence, ...rest } = Object(observe(ANSWERED));
  expect(readOutcome(ANSWERED)).toEqual(rest);
  expect(evidence.paymentRequiredSha256).toMatch(/^[0-9a-f]{64}$/);
});

it('keeps an outcome without an answer as it is', () => {
  expect(readOutcome({ kind: 'timed_out' })).toEqual({ kind: 'timed_out' });
});
