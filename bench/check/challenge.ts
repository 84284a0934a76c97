import { microUsd } from '../../src/core/money/micro-usd.ts';
import { type Expected, expectedTerms } from '../../src/core/verdict/expected-terms.ts';
import { judge } from '../../src/core/verdict/judge.ts';
import { observe } from '../../src/core/verdict/observation.ts';
import type { ProbeOutcome } from '../../src/core/verdict/probe-outcome.ts';
import { parseNetwork } from '../../src/core/x402/networks.ts';
import { medianMicros } from '../../tools/measure.ts';
import { typicalAnswer } from '../../tools/samples/typical-answer.ts';
import type { Report } from '../report/findings.ts';
import { hostileBodies } from './challenge-inputs.ts';

/**
 * What reading and judging a challenge costs, beside the bare limit in the same run: decoding and JSON.parse alone.
 * Bounds that must hold on one core: a typical challenge of 3 kB 60 µs, any hostile body of 256 kB 15 ms.
 */
const PROBED_AT = new Date('2026-11-15T12:00:00.000Z');
const expected: Expected = expectedTerms(
  {
    price: microUsd(10_000n),
    payTo: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
    network: parseNetwork('base'),
  },
  null,
);

const check = (outcome: ProbeOutcome) => judge(observe(outcome), expected, PROBED_AT);

function typicalRow(kilobytes: number, limitMicros: number) {
  const { answer, header } = typicalAnswer(kilobytes * 1_024);
  if (check(answer).verdict.verdict !== 'pay') throw new Error('the typical challenge should be a pay');
  return {
    name: `typical challenge, header of ${kilobytes} kB`,
    micros: medianMicros(() => check(answer), 2_000),
    bareMicros: medianMicros(() => JSON.parse(Buffer.from(header, 'base64').toString('utf8')), 2_000),
    limitMicros,
  };
}

const measureAll = () => [
  typicalRow(3, 60),
  typicalRow(4, 80),
  ...hostileBodies(262_144).map(({ name, answer }) => ({
    name,
    micros: medianMicros(() => check(answer), 5),
    bareMicros: medianMicros(() => bareParse(answer.body), 5),
    limitMicros: 15_000,
  })),
];

function bareParse(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    return undefined;
  }
}

export async function benchChallenge(): Promise<Report> {
  const findings = measureAll().map(({ name, micros, bareMicros, limitMicros }) => ({
    what: name,
    measured: `${micros.toFixed(1)} µs`,
    bare: `${bareMicros.toFixed(1)} µs`,
    ratio: micros / bareMicros,
    bound: `<= ${limitMicros} µs`,
    kept: micros <= limitMicros,
  }));
  return {
    about: 'Reading and judging a 402; bare is base64 and JSON.parse alone. Medians of 15 rounds.',
    findings,
  };
}
