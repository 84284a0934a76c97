import type { Views } from '../vantage/view.ts';
import type { Claim } from '../verdict/expected-terms.ts';
import { RULES, type Rule, type RuleId, ruleOfReason } from '../verdict/rules.ts';
import type { CrawlReceipt } from './crawl-receipt.ts';
import { receiptRule } from './judged-offer.ts';
import type { LiveReceipt } from './live-receipt.ts';

/** The result of one rule. A rule that was not reached counts neither way. */
export type StepState = 'pass' | 'fail' | 'not_compared' | 'not_reached';

export interface CheckStep {
  readonly rule: Rule;
  readonly state: StepState;
}

/** Every rule with its result for this receipt. */
export function stepsOfLive(receipt: LiveReceipt): readonly CheckStep[] {
  const asksPayment = receipt.live402 !== null;
  return steps(receiptRule(receipt), { ...receipt.expected, views: receipt.views }, asksPayment);
}

/** Null where the crawl keeps too little to tell which rule was broken, or sent no request. */
export function stepsOfCrawl(receipt: CrawlReceipt): readonly CheckStep[] | null {
  const broken = crawlRule(receipt);
  if (broken === 'unknown') return null;
  const expected = {
    price: receipt.claimedPrice,
    payTo: receipt.listedPayTo,
    network: receipt.listedNetwork,
  };
  return steps(broken, { ...expected, views: receipt.basis?.views ?? null }, receipt.payTo !== null);
}

function crawlRule({ code, payTo, reason }: CrawlReceipt): RuleId | null | 'unknown' {
  switch (code) {
    case 'path_template':
    case 'host_silent':
    // Ours may have broken another rule already.
    case 'terms_differ':
    case 'unconfirmed':
      return 'unknown';
    case 'needs_input':
      return 'asks_payment';
    case 'name_not_found':
      return 'reachable';
    case 'bad_challenge':
      if (reason.startsWith('price not sane')) return 'plausible_price';
      return payTo === null ? 'readable' : 'unknown';
    default:
      return ruleOfReason(code);
  }
}

/** What rules compare with. */
interface Compared extends Claim {
  readonly views: Views | null;
}

function steps(broken: RuleId | null, compared: Compared, asksPayment: boolean): readonly CheckStep[] {
  // Where nobody else was asked, the rules about others are not part of the check.
  const rules = RULES.filter(({ compares }) => compares !== 'views' || compared.views !== null);
  const end = broken === null ? rules.length : rules.findIndex(({ id }) => id === broken);
  // A free trial may be announced without terms; then the rules about terms were not reached.
  const unasked = broken === 'no_trial' && !asksPayment;
  const asking = rules.findIndex(({ id }) => id === 'asks_payment');
  return rules.map((rule, index) => {
    if (index === end) return { rule, state: 'fail' };
    if (index > end || (unasked && index >= asking)) return { rule, state: 'not_reached' };
    const nothing = rule.compares !== null && compared[rule.compares] === null;
    return { rule, state: nothing ? 'not_compared' : 'pass' };
  });
}
