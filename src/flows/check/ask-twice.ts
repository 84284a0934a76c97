import type { PlannedRequest } from '../../core/input/probe-plan.ts';
import { tellingAnswer } from '../../core/input/telling-answer.ts';
import { usedInput } from '../../core/input/used-input.ts';
import type { View } from '../../core/vantage/view.ts';
import { isServed, type Observation, type ObservedAnswer, observe } from '../../core/verdict/observation.ts';
import type { CounterStore } from '../../ports/counter-store.ts';
import type { OpenEndpoints } from '../../ports/probe-cache.ts';
import type { Place, ProbeRequest, Prober } from '../../ports/prober.ts';
import type { Vantages } from '../../ports/vantages.ts';
import type { TargetBudget } from './target-budget.ts';

export interface AskPorts {
  readonly prober: Prober;
  readonly counters: Pick<CounterStore, 'reserve'>;
  readonly openEndpoints: OpenEndpoints;
  /** A keyed hash: no store holds a URL that could carry a secret. */
  readonly keyOf: (text: string) => string;
  readonly now: () => Date;
  readonly vantages?: Vantages | undefined;
}

export interface AskedProbe {
  readonly request: ProbeRequest;
  readonly place: Place;
  readonly budget: TargetBudget;
  readonly second?: (answer: ObservedAnswer) => PlannedRequest | null;
  /** Whether an approval of this answer needs others; absent where no answer can. */
  readonly needsOthers?: (answer: Answered) => boolean;
  /** False when the lease of the slot would end before another answer. */
  readonly mayAskAgain: () => boolean;
}

/** The moment of the answer: a seller's time limit begins when it asks, not when the probe began. */
export interface Answered {
  readonly observation: Observation;
  readonly probedAt: Date;
  /** What others saw; absent where they were not needed. */
  readonly views?: readonly View[];
}

/**
 * The bare request and, after an answer that may want input, one with input: both within the budgets of the target. The
 * more telling answer counts. An endpoint that served the listing's input without payment never gets any again (gap G100).
 */
export async function askTwice(asked: AskedProbe, ports: AskPorts): Promise<Answered> {
  const end = new AbortController();
  const askOthers: AskOthers = async (request) => (await ports.vantages?.ask(request, end.signal)) ?? [];
  try {
    const { views, ...answer } = await ask(asked, askOthers, ports);
    return asked.needsOthers?.(answer) === true ? { views: await views(), ...answer } : answer;
  } finally {
    // With a reason: the default one is an error, and its stack trace costs more than judging the answer.
    end.abort('answered');
  }
}

type AskOthers = (request: ProbeRequest) => Promise<readonly View[]>;

interface AnsweredBeside extends Omit<Answered, 'views'> {
  /** What others see of the request that was answered. */
  readonly views: () => Promise<readonly View[]>;
}

async function ask(asked: AskedProbe, askOthers: AskOthers, ports: AskPorts): Promise<AnsweredBeside> {
  const { request, place, budget, second, mayAskAgain } = asked;
  const { prober, counters, openEndpoints, keyOf, now } = ports;
  const { target, method } = request;
  // At the same moment as we: a check takes no longer, and nobody can show one thing now and another one later.
  const views = asked.needsOthers === undefined ? Promise.resolve([]) : askOthers({ target, method });
  const outcome = await prober.probe({ target, method }, place);
  const probedAt = now();
  const first = observe(outcome, probedAt);
  const answer = { observation: first, probedAt, views: () => views };
  const next = first.kind === 'answered' ? (second?.(first) ?? null) : null;
  if (next === null || first.kind !== 'answered') return answer;
  const urlKey = keyOf(target.normalized);
  // A caller's input says nothing about that of others: nobody closes an endpoint to everybody.
  const inputKey = next.source === 'caller' ? keyOf(`${target.normalized}\n${next.body}`) : urlKey;
  if ((await openEndpoints.isOpen(urlKey)) || (await openEndpoints.isOpen(inputKey))) return answer;
  if (!(await counters.reserve(budget.counters)).granted || !mayAskAgain()) return answer;
  const { body } = next;
  const bare = { target: next.target, method: next.method };
  const sent = body === null ? bare : { body, ...bare };
  const input = usedInput(next);
  const outcomeAgain = await prober.probe(sent, place);
  const againAt = now();
  const again = observe(outcomeAgain, againAt, input);
  if (isServed(again)) await openEndpoints.remember(inputKey, againAt);
  const observation = tellingAnswer(first, again, input);
  // Others send input only when we know that it is not served for nothing: what it does would be done once for each of them.
  return { observation, probedAt: againAt, views: () => (observation === again ? askOthers(sent) : views) };
}
