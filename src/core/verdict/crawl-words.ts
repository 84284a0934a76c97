import { CRAWL_SILENT_REQUESTS } from '../limits.ts';
import { formatUsd } from '../money/micro-usd.ts';
import { unreachable } from '../unreachable.ts';
import type { Caip2 } from '../x402/networks.ts';
import { type BadChallengeFault, needsInput, type Reason, type Verdict } from './verdict.ts';

/** The crawl's finding for a listed URL. */
export type CrawlFinding =
  /** The URL has placeholders; no request was sent. */
  | { readonly kind: 'path_template' }
  /** Its host left too many requests unanswered, so none was sent for this URL (gap L22). */
  | { readonly kind: 'host_silent' }
  | { readonly kind: 'judged'; readonly verdict: Verdict };

/** Stable names for filters and counts; the reason is the same finding in its fixed wording. */
export type CrawlCode = Reason | 'path_template' | 'name_not_found' | 'host_silent' | 'needs_input';

export interface CrawlVerdict {
  readonly verdict: Verdict['verdict'];
  readonly code: CrawlCode;
  readonly reason: string;
}

/** The verdict in the fixed forms of crawl receipts. Two findings are stricter in the crawl than in a live check (gap G75). */
export function crawlVerdict(finding: CrawlFinding): CrawlVerdict {
  if (finding.kind === 'path_template') {
    return {
      verdict: 'skip',
      code: 'path_template',
      reason: 'listing url is a path template, not a callable endpoint',
    };
  }
  if (finding.kind === 'host_silent') {
    const reason = `not requested: host left ${CRAWL_SILENT_REQUESTS} requests in a row unanswered`;
    return { verdict: 'recheck', code: 'host_silent', reason };
  }
  const { verdict } = finding;
  if (verdict.reason === 'unreachable' && verdict.cause === 'name_not_found') {
    return { verdict: 'skip', code: 'name_not_found', reason: 'dns lookup failed (host does not resolve)' };
  }
  const code = needsInput(verdict) ? 'needs_input' : verdict.reason;
  return { verdict: verdict.verdict, code, reason: crawlWords(verdict) };
}

function crawlWords(verdict: Verdict): string {
  switch (verdict.reason) {
    case 'price_ok':
      return verdict.priceCompared ? 'matches listing' : 'no listed price to compare';
    case 'price_mismatch':
      return `price mismatch: listed $${formatUsd(verdict.expected)}, 402 asks $${formatUsd(verdict.quoted)}`;
    case 'network_mismatch':
      return `network mismatch: listed ${verdict.expected}, 402 offers [${verdict.offered.map(name).join(', ')}]`;
    case 'pay_to_mismatch':
      return `pay_to mismatch: listed ${verdict.expected}, 402 pays ${verdict.offered ?? 'unknown'}`;
    case 'asset_not_usdc':
      return `asset not canonical USDC (${name(verdict.network)})`;
    case 'network_unsupported':
      return `network not a supported mainnet (${name(verdict.network)})`;
    case 'no_paywall':
      return `no 402 challenge (HTTP ${verdict.status})`;
    case 'bad_challenge':
      return badChallengeWords(verdict.fault);
    case 'free_trial_active':
      return 'free trial active';
    case 'timeout':
      return 'timeout after 5 s';
    case 'server_error':
      return `server error (HTTP ${verdict.status})`;
    case 'unreachable':
      return 'unreachable';
    case 'ssrf_blocked':
      return 'blocked address';
    case 'terms_differ':
      return 'different terms to different visitors';
    case 'unconfirmed':
      return 'not confirmed from another point of view';
    default:
      return unreachable(verdict);
  }
}

function badChallengeWords(fault: BadChallengeFault): string {
  return fault.kind === 'price_not_sane'
    ? `price not sane ($${formatUsd(fault.quoted)})`
    : 'bad challenge (HTTP 402)';
}

function name(network: Caip2 | null): string {
  return network ?? 'unknown';
}
