import { describe, expect, it } from 'vitest';
import { countedWorld, REQUEST } from '../../../test/support/probing/counted-world.ts';
import { vantageOf, viewOf } from '../../../test/support/vantage/views.ts';
import { answered, ENTRY, PAYEE, paywall, THIEF } from '../../../tools/samples/challenge.ts';
import { microUsd } from '../../core/money/micro-usd.ts';
import { judgeAgain } from '../../core/statement/judge-again.ts';
import { readStatement } from '../../core/statement/read-statement.ts';
import { statementOfLive } from '../../core/statement/stated-live.ts';
import type { ProbeOutcome } from '../../core/verdict/probe-outcome.ts';
import type { ProbeRequest } from '../../ports/prober.ts';
import type { CheckRequest } from './check-request.ts';

const HONEST = paywall([ENTRY]);
const THEFT = paywall([{ ...ENTRY, payTo: THIEF }]);
const DOWN: ProbeOutcome = { kind: 'timed_out' };

/** Others who see this; the price of a payment that needs them is $0.01 unless it is said otherwise. */
function worldOf(own: ProbeOutcome, others: readonly ProbeOutcome[], needed = 2, fromPrice = 10_000n) {
  const asked: ProbeRequest[] = [];
  const aborted: boolean[] = [];
  const state = { gone: new Set<string>(), others };
  const vantages = {
    needed,
    fromPrice: microUsd(fromPrice),
    has: (vantage: string) => !state.gone.has(vantage),
    ask: async (request: ProbeRequest, signal?: AbortSignal) => {
      asked.push(request);
      signal?.addEventListener('abort', () => aborted.push(true));
      return state.others.map((outcome, n) => viewOf(outcome, undefined, n));
    },
  };
  const world = countedWorld(own, vantages);
  const decide = async (request: CheckRequest = REQUEST) => {
    const result = await world.check(null, request);
    if (result.kind !== 'counted') throw new Error(result.kind);
    return result.decision;
  };
  return { ...world, asked, aborted, decide, vantages: state };
}

function judgedAgain(receipt: Parameters<typeof statementOfLive>[0]) {
  const statement = readStatement(statementOfLive(receipt) ?? '');
  return statement === null ? 'unreadable' : judgeAgain(statement);
}

describe('a live check with other points of view', () => {
  it.each<[string, ProbeOutcome, readonly ProbeOutcome[], string]>([
    ['all see the same', HONEST, [HONEST, HONEST], 'price_ok'],
    ['one of them is shown the terms of a thief', HONEST, [HONEST, THEFT], 'terms_differ'],
    ['we are shown those of a thief', THEFT, [HONEST, HONEST], 'terms_differ'],
    ['one of them is away', HONEST, [HONEST], 'unconfirmed'],
    ['one of them cannot reach the endpoint', HONEST, [HONEST, DOWN], 'unconfirmed'],
    ['nobody answers', HONEST, [], 'unconfirmed'],
  ])('%s', async (_, own, others, reason) => {
    const { decide } = worldOf(own, others);
    const { look, receipt } = await decide();
    expect([look.verdict.reason, receipt.reason]).toEqual([reason, reason]);
    expect(receipt.approvedPayment === null).toBe(reason !== 'price_ok');
    expect(receipt.views).toMatchObject({ needed: 2, views: others.map(() => ({ at: expect.any(Date) })) });
    expect(judgedAgain(receipt)).toEqual([]);
  });

  it('does not wait for them below the price, and lets them go', async () => {
    const { decide, asked, aborted } = worldOf(HONEST, [], 2, 10_001n);
    const { receipt } = await decide();
    expect([receipt.reason, receipt.views, asked.length]).toEqual(['price_ok', null, 1]);
    expect(aborted).toEqual([true]);
  });

  it('does not ask them when a price below is the only one that can be approved', async () => {
    const { decide, asked } = worldOf(HONEST, [], 2, 10_001n);
    const claim = { price: microUsd(10_000n), payTo: PAYEE, network: null };
    const { receipt } = await decide({ ...REQUEST, claim });
    expect([receipt.reason, asked.length]).toEqual(['price_ok', 0]);
  });

  it('neither asks them for a dry run, which approves nothing, nor reuses one where they are needed', async () => {
    const { decide, asked, state } = worldOf(HONEST, [HONEST, HONEST]);
    const dry = await decide({ ...REQUEST, mode: 'dry-run' });
    expect([dry.receipt.reason, dry.receipt.views, asked.length]).toEqual(['price_ok', null, 0]);
    const live = await decide();
    expect([live.receipt.reason, asked.length, state.sent]).toEqual(['price_ok', 1, 2]);
  });

  it('reuses what they saw for five minutes', async () => {
    const { decide, asked, state } = worldOf(HONEST, [HONEST, HONEST]);
    const [first, again] = [await decide(), await decide()];
    expect(again.receipt.probe.cached).toBe(true);
    expect(again.receipt.views).toEqual(first.receipt.views);
    expect([asked.length, state.sent]).toEqual([1, 1]);
  });

  it('asks again where too few had answered, or where one of them was replaced', async () => {
    const { decide, asked, vantages } = worldOf(HONEST, [HONEST]);
    expect((await decide()).receipt.reason).toBe('unconfirmed');
    vantages.others = [HONEST, HONEST];
    expect((await decide()).receipt.reason).toBe('price_ok');
    vantages.gone.add(vantageOf(1));
    expect((await decide()).receipt).toMatchObject({ reason: 'unconfirmed', views: { views: [{}] } });
    expect(asked).toHaveLength(3);
  });

  it('waits for nobody where there is nothing to approve', async () => {
    const { decide } = worldOf(answered({ status: 200 }), [HONEST, HONEST]);
    const { receipt } = await decide();
    expect([receipt.reason, receipt.views]).toEqual(['no_paywall', null]);
  });
});
