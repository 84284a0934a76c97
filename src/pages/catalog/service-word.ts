import { html } from 'hono/html';
import type { ServiceVerdict, ServiceWord } from '../../core/catalog/service-verdict.ts';
import { wilsonInterval } from '../../core/catalog/wilson-interval.ts';
import { FACTS_ONLY_AFTER_FAILURES, LOOKUP_RECEIPTS, SERVICE_VERDICT } from '../../core/limits.ts';
import { formatUsd } from '../../core/money/micro-usd.ts';
import { unreachable } from '../../core/unreachable.ts';
import type { Html } from '../frame/layout.ts';
import { type Tone, verdictIcon } from '../frame/verdict-mark.ts';
import { intervalBar, percents } from './call-marks.ts';

export const SERVICE_TONES: Readonly<Record<ServiceWord, Tone>> = {
  passes: 'pay',
  mixed: 'recheck',
  fails: 'skip',
  junk: 'skip',
  undelivered: 'skip',
  too_few: 'aside',
  unpaid: 'aside',
};

/** What our own money found out, in one sentence, with the numbers behind it. */
export function serviceWordCard(verdict: ServiceVerdict, factsOnlyReason: Html | string): Html {
  const { word, calls } = verdict;
  return html`<section class="word ${SERVICE_TONES[word]}" aria-label="What our own paid calls show">
<p class="says">${verdictIcon(SERVICE_TONES[word])} <strong>${wordSentence(verdict)}</strong></p>
${factsOnlyReason}${calls === 0 ? '' : html`<p>${counted(verdict)}</p>`}${rate(verdict)}
<details><summary>How this is decided</summary>
<p>${WORD_RULE} <a href="/method#paid">How answers are graded</a>.</p></details>
</section>`;
}

export function wordSentence({ word, calls, graded, passed, delivered, ...money }: ServiceVerdict): string {
  const right = `${passed} of ${graded} graded answers ${passed === 1 ? 'was' : 'were'} right`;
  switch (word) {
    case 'passes':
      return `Passes: ${right}`;
    case 'mixed':
      return `Mixed: ${right}`;
    case 'fails':
      return `Fails: ${right}`;
    case 'junk':
      return `Took $${formatUsd(money.charged)} in ${callsOf(money.chargedCalls)} and gave no right answer`;
    case 'undelivered':
      return `Not delivered: the last ${FACTS_ONLY_AFTER_FAILURES} paid calls returned no answer`;
    case 'too_few':
      return graded === 0
        ? `Not graded yet: ${delivered} of ${callsOf(calls)} returned an answer`
        : `Too few graded answers: ${passed} of ${graded} right so far`;
    case 'unpaid':
      return 'No paid calls yet';
    default:
      return unreachable(word);
  }
}

function counted({ calls, delivered, chargedCalls, charged }: ServiceVerdict): string {
  const cost =
    chargedCalls === 0
      ? 'nothing was charged'
      : `$${formatUsd(charged)} was charged${chargedCalls === calls ? '' : ` for ${chargedCalls} of them`}`;
  return `${callsOf(calls)} with our own money: ${delivered} returned an answer, ${cost}.`;
}

function callsOf(count: number): string {
  return `${count} ${count === 1 ? 'call' : 'calls'}`;
}

function rate({ passed, graded }: ServiceVerdict): Html | string {
  const interval = wilsonInterval(passed, graded);
  if (interval === null) return '';
  const [low, high] = [percents(interval.low), percents(interval.high)];
  return html`<p class="rate">${intervalBar(low, high, percents(passed / graded))} ${percents(passed / graded)}\u00a0% right; with 95\u00a0% confidence between ${low} and ${high}\u00a0%</p>`;
}

/** How the word of a service is chosen. */
export const WORD_RULE = `From the newest ${LOOKUP_RECEIPTS.max} calls that we paid for, and from nothing else. A word needs at least ${SERVICE_VERDICT.gradedMin} graded answers. Passes: at least
${SERVICE_VERDICT.passesFromPercent} % right. Fails: less than ${SERVICE_VERDICT.failsBelowPercent} % right. Mixed: between. If we were charged and no graded answer was right, the amount is shown. Not delivered: the last
${FACTS_ONLY_AFTER_FAILURES} calls returned no answer. Calls that failed on our side are not held against the seller.`;
