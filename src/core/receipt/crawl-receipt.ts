import { type ListedEndpoint, listingsOf } from '../crawl/listed-endpoint.ts';
import { toldWith } from '../diagnose/diagnose-outcome.ts';
import type { Diagnostic } from '../diagnose/diagnostic.ts';
import type { ListedInput, UsedInput } from '../input/listed-input.ts';
import { type NeedsInput, needsInputOf } from '../input/needs-input.ts';
import { URL_MAX_BYTES } from '../limits.ts';
import type { MicroUsd } from '../money/micro-usd.ts';
import { seenIn } from '../statement/seen.ts';
import { redactUrl } from '../url/redact-url.ts';
import type { Views } from '../vantage/view.ts';
import { type CrawlCode, type CrawlFinding, crawlVerdict } from '../verdict/crawl-words.ts';
import type { Listing } from '../verdict/expected-terms.ts';
import type { AskedRequest } from '../verdict/judge-request.ts';
import { diagnosticsOf, type Observation, type Seen } from '../verdict/observation.ts';
import type { ProbeMethod } from '../verdict/probe-outcome.ts';
import { hintIn, RULES_VERSION, type Verdict } from '../verdict/verdict.ts';
import type { Caip2 } from '../x402/networks.ts';
import type { Offer } from '../x402/offer.ts';
import { quotedPrice } from '../x402/terms.ts';

/** The weekly crawl's result for one listed URL. Null stands for a field that the receipt omits. */
export interface CrawlReceipt {
  readonly id: string;
  readonly url: string;
  readonly claimedPrice: MicroUsd | null;
  readonly quotedPrice: MicroUsd | null;
  readonly payTo: string | null;
  readonly verdict: Verdict['verdict'];
  readonly code: CrawlCode;
  readonly reason: string;
  readonly checkedAt: Date;
  readonly sourceList: string;
  /** Every list the URL is on, the winner first. */
  readonly listedIn: readonly string[];
  readonly method: ProbeMethod;
  readonly httpStatus: number | null;
  readonly network: Caip2 | null;
  readonly listedNetwork: Caip2 | null;
  readonly listedPayTo: string | null;
  /** All that the lists claim, the winner first; absent where they do not differ (gap G99). Not part of the public receipt. */
  readonly listings?: readonly Listing[];
  /** What the seller has to change; absent where there is nothing. */
  readonly diagnostics?: readonly Diagnostic[];
  /** These are absent where there is nothing to say. */
  readonly input?: UsedInput;
  readonly needsInput?: NeedsInput;
  readonly otherMethod?: ProbeMethod;
  /** For later checks of the URL; not part of the public receipt. */
  readonly listedInput?: ListedInput;
  /** What its statement adds; absent in receipts of older releases. */
  readonly basis?: CrawlBasis;
}

export interface CrawlBasis extends CrawlQuestion {
  readonly rulesVersion: string;
  /** All that the judge looked at; null where no request was sent. */
  readonly seen: Seen | null;
  /** What others saw; null where nobody was asked. */
  readonly views: Views | null;
}

/** What was asked, as far as it steers the judge, and what makes the statement unique. */
export interface CrawlQuestion extends Omit<AskedRequest, 'method'> {
  readonly run: string;
  readonly salt: string;
}

export interface CrawledEndpoint {
  readonly id: string;
  readonly listed: ListedEndpoint;
  /** The claim that counts for what the endpoint answered; the winner's by default. */
  readonly listing?: Listing;
  readonly finding: CrawlFinding;
  readonly offer: Offer | null;
  /** The method of the request that was answered; the listing's by default. */
  readonly method?: ProbeMethod;
  readonly observation: Observation | null;
  /** What others saw; absent where nobody was asked. */
  readonly views?: Views;
  readonly checkedAt: Date;
  /** Absent for a receipt without a statement. */
  readonly question?: CrawlQuestion;
}

export function crawlReceipt({
  id,
  listed,
  listing = listingsOf(listed)[0],
  finding,
  offer,
  method = listed.method,
  observation,
  views,
  checkedAt,
  question,
}: CrawledEndpoint): CrawlReceipt {
  const { verdict, code, reason } = crawlVerdict(finding);
  const answer = observation?.kind === 'answered' ? observation : null;
  const hint = finding.kind === 'judged' ? hintIn(finding.verdict) : null;
  const diagnostics =
    finding.kind === 'judged' && observation !== null
      ? toldWith(finding.verdict, diagnosticsOf(observation))
      : [];
  return {
    id,
    // Redaction can make a URL longer, and an index limits the length of its keys.
    url: redactUrl(listed.target.href, 'listed').slice(0, URL_MAX_BYTES),
    claimedPrice: listing.price,
    quotedPrice: offer === null ? null : quotedPrice(offer),
    payTo: offer?.payTo ?? null,
    verdict,
    code,
    reason,
    checkedAt,
    sourceList: listing.sourceList,
    listedIn: [listing.sourceList, ...listed.listedIn.filter((list) => list !== listing.sourceList)],
    method,
    httpStatus: answer?.status ?? null,
    network: offer?.network ?? null,
    listedNetwork: listing.network,
    listedPayTo: listing.payTo,
    ...(listed.otherClaims === undefined ? {} : { listings: listingsOf(listed) }),
    ...(diagnostics.length === 0 ? {} : { diagnostics }),
    ...(answer?.input == null ? {} : { input: answer.input }),
    ...(answer === null || code !== 'needs_input'
      ? {}
      : { needsInput: needsInputOf(answer, method, listed.input) }),
    ...(hint?.kind === 'wrong_method' ? { otherMethod: hint.other } : {}),
    ...(listed.input === null ? {} : { listedInput: listed.input }),
    ...(question === undefined ? {} : { basis: basisOf(question, observation, views ?? null) }),
  };
}

function basisOf(question: CrawlQuestion, observation: Observation | null, views: Views | null): CrawlBasis {
  const seen = observation === null ? null : seenIn(observation);
  return { ...question, rulesVersion: RULES_VERSION, seen, views };
}

/** The network of the live offer, else that of the listing. */
export function networkOf({ network, listedNetwork }: CrawlReceipt): Caip2 | null {
  return network ?? listedNetwork;
}
