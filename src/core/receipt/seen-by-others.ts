import type { MicroUsd } from '../money/micro-usd.ts';
import type { Views } from '../vantage/view.ts';
import type { Expected } from '../verdict/expected-terms.ts';
import { type AskedRequest, judgeRequest } from '../verdict/judge-request.ts';
import type { AnswerVerdict } from '../verdict/verdict.ts';
import type { Caip2 } from '../x402/networks.ts';
import { quotedPrice } from '../x402/terms.ts';
import type { CrawlReceipt } from './crawl-receipt.ts';
import type { LiveReceipt } from './live-receipt.ts';

/** What a check would have ended with, had it been made elsewhere. */
export interface SeenByOther {
  /** Its name, without the key. */
  readonly vantage: string;
  readonly at: Date;
  readonly verdict: AnswerVerdict['verdict'];
  readonly reason: AnswerVerdict['reason'];
  /** The offer that its verdict would be about; null without one. */
  readonly quoted: {
    readonly price: MicroUsd | null;
    readonly payTo: string;
    readonly network: Caip2 | null;
  } | null;
}

export interface SeenByOthers {
  /** How many had to agree. */
  readonly needed: number;
  readonly views: readonly SeenByOther[];
}

/** Null where nobody was asked. */
export function othersOfLive(receipt: LiveReceipt): SeenByOthers | null {
  const { views, method, listedMethod, expected, probe } = receipt;
  if (views === null) return null;
  return seenBy(views, { method, listedMethod, takesPath: false }, expected, probe.probedAt);
}

export function othersOfCrawl(receipt: CrawlReceipt): SeenByOthers | null {
  const { basis, method, checkedAt, claimedPrice, listedPayTo, listedNetwork } = receipt;
  if (basis === undefined || basis.views === null) return null;
  const { listedMethod, takesPath, views } = basis;
  const expected = {
    price: claimedPrice,
    payTo: listedPayTo,
    network: listedNetwork,
    source: 'listing',
  } as const;
  return seenBy(views, { method, listedMethod, takesPath }, expected, checkedAt);
}

function seenBy({ needed, views }: Views, asked: AskedRequest, expected: Expected, at: Date): SeenByOthers {
  return {
    needed,
    views: views.map((view) => {
      const { verdict, offer } = judgeRequest(view.seen, asked, expected, at);
      const [name = ''] = view.vantage.split('+', 1);
      return {
        vantage: name,
        at: view.at,
        verdict: verdict.verdict,
        reason: verdict.reason,
        quoted:
          offer === null ? null : { price: quotedPrice(offer), payTo: offer.payTo, network: offer.network },
      };
    }),
  };
}
