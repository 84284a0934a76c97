import type { UsedInput } from '../../core/input/listed-input.ts';
import type { PlannedRequest } from '../../core/input/probe-plan.ts';
import { usedInput } from '../../core/input/used-input.ts';
import { isServed, type Observation, type ObservedAnswer, observe } from '../../core/verdict/observation.ts';
import type { ProbeOutcome } from '../../core/verdict/probe-outcome.ts';
import type { CounterStore } from '../../ports/counter-store.ts';
import type { OpenEndpoints } from '../../ports/probe-cache.ts';
import type { Place, ProbeRequest, Prober } from '../../ports/prober.ts';
import type { TargetBudget } from './target-budget.ts';

export interface AskPorts {
  readonly prober: Prober;
  readonly counters: Pick<CounterStore, 'reserve'>;
  readonly openEndpoints: OpenEndpoints;
  /** A keyed hash: no store holds a URL that could carry a secret. */
  readonly keyOf: (text: string) => string;
  readonly now: () => Date;
}

export interface AskedProbe {
  readonly request: ProbeRequest;
  readonly place: Place;
  readonly budget: TargetBudget;
  readonly second?: (answer: ObservedAnswer) => PlannedRequest | null;
  /** False when the lease of the slot would end before another answer. */
  readonly mayAskAgain: () => boolean;
}

/**
 * The bare request and, after an answer that may want input, one with input: both within the budgets of the target, and the
 * last answer counts. An endpoint that once served input without payment never gets any again (gap G100).
 */
export async function askTwice(asked: AskedProbe, ports: AskPorts): Promise<Answered> {
  const { request, place, budget, second, mayAskAgain } = asked;
  const { prober, counters, openEndpoints, keyOf, now } = ports;
  const { target, method } = request;
  const answer = answered(await prober.probe({ target, method }, place), null, now());
  const first = answer.observation;
  const next = first.kind === 'answered' ? (second?.(first) ?? null) : null;
  if (next === null) return answer;
  const urlKey = keyOf(target.normalized);
  if (await openEndpoints.isOpen(urlKey)) return answer;
  if (!(await counters.reserve(budget.counters)).granted || !mayAskAgain()) return answer;
  const { body } = next;
  const sent = { target: next.target, method: next.method };
  const outcome = await prober.probe(body === null ? sent : { ...sent, body }, place);
  const again = answered(outcome, usedInput(next), now());
  if (isServed(again.observation)) await openEndpoints.remember(urlKey, now());
  return again;
}

/** The moment of the answer: a seller's time limit begins when it asks, not when the probe began. */
export interface Answered {
  readonly observation: Observation;
  readonly probedAt: Date;
}

function answered(outcome: ProbeOutcome, input: UsedInput | null, probedAt: Date): Answered {
  return { observation: observe(outcome, probedAt, input), probedAt };
}
