import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { liveStatement, logWorld, ORIGIN, policyOf } from '../../../test/support/log/log-world.ts';
import { bundleOf, runBundleOf } from '../../../test/support/log/serve-world.ts';
import { sized } from '../../../test/support/sized.ts';
import { NOON } from '../../../tools/samples/store-receipts.ts';
import { parsePolicy } from '../log/policy.ts';
import { promiseKeyIn } from './promise-step.ts';
import { parseProofBundle } from './proof-bundle.ts';
import { runFacts, statementFacts } from './statement-facts.ts';
import { verifyBundle } from './verify-bundle.ts';

const world = logWorld();
for (let n = 0; n < 5; n += 1) world.addReceipt(n);
world.addRun();
const policyText = policyOf([world]);

function failedSteps(text: string): readonly string[] | null {
  const bundle = parseProofBundle(text);
  const policy = parsePolicy(policyText);
  if (bundle === null || 'fault' in policy) return null;
  const promiseKey = promiseKeyIn(policyText, ORIGIN);
  const { steps } = verifyBundle({ bundle, policy, promiseKey, id: null, now: NOON });
  return steps.filter(({ state }) => state === 'failed').map(({ name }) => name);
}

describe('a bundle of a stranger', () => {
  it('is sound as it is, of a check and of a crawl', async () => {
    expect(failedSteps(await bundleOf(world, 3))).toEqual([]);
    expect(failedSteps(await runBundleOf(world, 5))).toEqual([]);
  });

  it('is refused with any character changed', async () => {
    const texts = [await bundleOf(world, 3), await runBundleOf(world, 5)];
    fc.assert(
      fc.property(
        fc.constantFrom(...texts),
        fc.nat(),
        fc.constantFrom('A', 'b', '0', '+', '\n'),
        (text, at, letter) => {
          const place = at % text.length;
          const changed = text.slice(0, place) + letter + text.slice(place + 1);
          fc.pre(changed !== text);
          expect(failedSteps(changed)).not.toEqual([]);
        },
      ),
      { numRuns: sized(400, 5_000) },
    );
  });

  it('never throws', () => {
    const form = fc.record(
      {
        assay: fc.constant('proof/1'),
        statement: fc.base64String(),
        proof: fc.string(),
        promise: fc.anything(),
        run: fc.anything(),
      },
      { requiredKeys: ['assay'] },
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          form.map((value) => JSON.stringify(value)),
        ),
        (text) => {
          const found = failedSteps(text);
          if (found !== null) expect(found).not.toEqual([]);
        },
      ),
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array(),
          fc.json().map((text) => Buffer.from(text)),
        ),
        (bytes) => {
          statementFacts(bytes);
          runFacts(bytes);
        },
      ),
    );
  });

  it.each<[string, object]>([
    ['of another form', { assay: 'proof/2' }],
    ['with another base64 spelling', { statement: `${Buffer.from(liveStatement(3)).toString('base64')}\n` }],
    ['with a promise that is no text', { promise: 1 }],
    ['with a run that is none', { run: [] }],
  ])('%s is no bundle', async (_, changes) => {
    expect(parseProofBundle(await bundleOf(world, 3, changes))).toBeNull();
  });

  it('cannot carry the receipt of a check through a run, or that of a crawl without one', async () => {
    const crawled = await runBundleOf(world, 5);
    const { run } = JSON.parse(crawled);
    expect(failedSteps(await bundleOf(world, 3, { run }))).toContain('statement');
    expect(failedSteps(JSON.stringify({ ...JSON.parse(crawled), run: undefined }))).not.toEqual([]);
  });
});
