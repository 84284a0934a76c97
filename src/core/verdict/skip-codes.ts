import type { CrawlCode } from './crawl-words.ts';
import type { Pay, Recheck, Skip } from './verdict.ts';

/** Why a listed endpoint is skipped; also the values of the skips filter. */
export type SkipCode = Skip['reason'] | Exclude<CrawlCode, Skip['reason'] | NoSkip>;

type NoSkip = Pay['reason'] | Recheck['reason'] | 'host_silent';

/** Each in a few words. The type requires every code. */
export const SKIP_WORDS: Readonly<Record<SkipCode, string>> = {
  price_mismatch: 'Price differs',
  network_mismatch: 'Network differs',
  pay_to_mismatch: 'Payee differs',
  terms_differ: 'Terms differ by visitor',
  asset_not_usdc: 'Not USDC',
  network_unsupported: 'Network not supported',
  no_paywall: 'No 402 challenge',
  needs_input: 'Needs input first',
  bad_challenge: 'Challenge unusable',
  ssrf_blocked: 'Blocked address',
  path_template: 'Path template',
  name_not_found: 'Host does not resolve',
};

export const SKIP_CODES: readonly string[] = Object.keys(SKIP_WORDS);

export function isSkipCode(text: string): text is SkipCode {
  return Object.hasOwn(SKIP_WORDS, text);
}

/** Skips that say more about our request than about the endpoint: listed, and not counted against it (gap G100). */
export function isSetAside(code: CrawlCode): boolean {
  return code === 'needs_input';
}

/** The live 402 was read and contradicts the listing, or what others are shown; for all other skips there was nothing to compare. */
export function isMismatch(code: CrawlCode): boolean {
  return (
    code === 'price_mismatch' ||
    code === 'network_mismatch' ||
    code === 'pay_to_mismatch' ||
    code === 'terms_differ'
  );
}
