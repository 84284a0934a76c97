import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { disagreements } from '../../../test/support/diagnosing/diagnosing.ts';
import { NOTHING, verdictOf } from '../../../test/support/judging.ts';
import { randomAnswer } from '../../../test/support/random-answers.ts';
import { sized } from '../../../test/support/sized.ts';
import { HONEST, HOSTILE } from '../../../test/support/stock-challenges.ts';
import { bodyOnly, ENTRY, ENTRY_V1, header, PAYEE, THIEF } from '../../../tools/samples/challenge.ts';
import type { ProbeAnswer } from '../verdict/probe-outcome.ts';

const RUNS = sized(5_000, 50_000);

const mutation = fc.oneof(
  fc.record({ kind: fc.constant('drop'), key: fc.constantFrom(...Object.keys(ENTRY), 'maxAmountRequired') }),
  fc.record({ kind: fc.constant('respell'), key: fc.constantFrom('payTo', 'amount', 'network') }),
  fc.record({
    kind: fc.constant('set'),
    key: fc.constantFrom(
      ...Object.keys(ENTRY),
      'maxAmountRequired',
      'validBefore',
      'pay_to',
      'PayTo',
      'stranger',
    ),
    value: fc.oneof(
      fc.constantFrom(PAYEE, THIEF, '', '0.01', '$1', '-5', '10000', '10001', 0, 5, null, 'base', 'exact'),
      fc.constantFrom({ assetTransferMethod: 'permit2' }, { chainId: 1 }, { verifyingContract: THIEF }),
      fc.jsonValue({ maxDepth: 2 }),
    ),
  }),
);

type Mutation = { kind: string; key: string; value?: unknown };

function mutate(entry: object, mutations: readonly Mutation[]): object {
  const changed: Record<string, unknown> = { ...entry };
  for (const { kind, key, value } of mutations) {
    if (kind === 'respell') changed[key.toUpperCase()] = changed[key];
    if (kind === 'set') changed[key] = value;
    else delete changed[key];
  }
  return changed;
}

const nearlyGood = fc
  .tuple(fc.constantFrom<object>(ENTRY, ENTRY_V1), fc.array(mutation, { maxLength: 3 }))
  .map(([entry, mutations]) => mutate(entry, mutations));
const nearlyGoodDocument = fc.record({
  x402Version: fc.constantFrom(1, 2, 2, 2, '2'),
  accepts: fc.array(nearlyGood, { minLength: 1, maxLength: 3 }),
});
const nearlyPlain = fc.constantFrom(
  'application/json',
  'application/json; charset=utf-8',
  'text/json; charset=gbk',
);
const nearlyGoodAnswer = fc
  .tuple(nearlyGoodDocument, fc.option(nearlyGoodDocument), fc.boolean(), nearlyPlain)
  .map(([first, second, isInHeader, type]): ProbeAnswer => {
    const typed: [string, string] = ['content-type', type];
    if (!isInHeader) return { ...bodyOnly(JSON.stringify(first)), headers: [typed] };
    return { ...bodyOnly(second === null ? '' : JSON.stringify(second)), headers: [header(first), typed] };
  });

describe('a diagnosis agrees with the judge', () => {
  it.each([...HOSTILE, ...HONEST])('on %s', (_, answer) => {
    expect(disagreements(answer)).toEqual([]);
  });

  it.each<[string, fc.Arbitrary<ProbeAnswer>]>([
    ['random challenges', randomAnswer],
    ['challenges with a few mistakes', nearlyGoodAnswer],
  ])(
    'on %s',
    (_, arbitrary) => {
      const seen = new Map<string, number>();
      fc.assert(
        fc.property(arbitrary, (answer) => {
          const { verdict } = verdictOf(answer, NOTHING);
          seen.set(verdict, (seen.get(verdict) ?? 0) + 1);
          const broken = disagreements(answer);
          if (broken.length > 0) throw new Error(broken.join('; '));
        }),
        { numRuns: RUNS },
      );
      expect(Math.min(seen.get('pay') ?? 0, seen.get('skip') ?? 0)).toBeGreaterThan(RUNS / 200);
    },
    60_000,
  );

  it('on bytes at random, in header and body', () => {
    const text = fc.oneof(fc.string(), fc.json(), fc.base64String(), fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(text, fc.option(text), fc.boolean(), (body, inHeader, bodyComplete) => {
        const headers: [string, string][] = inHeader === null ? [] : [['payment-required', inHeader]];
        const broken = disagreements({ ...bodyOnly(body), headers, bodyComplete });
        if (broken.length > 0) throw new Error(broken.join('; '));
      }),
      { numRuns: RUNS },
    );
  });
});
