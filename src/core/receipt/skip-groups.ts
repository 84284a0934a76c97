import type { CrawlCode } from '../verdict/crawl-words.ts';
import { isSkipCode, type SkipCode } from '../verdict/skip-codes.ts';

/** How much a skip weighs: what a buyer would lose, not how it was found. */
export type SkipGroup = 'differs' | 'unpayable' | 'no_endpoint' | 'set_aside';

/** The gravest first, inside a group too: payee before price (gap G36). The type requires every code. */
const GROUP_OF: Readonly<Record<SkipCode, SkipGroup>> = {
  pay_to_mismatch: 'differs',
  price_mismatch: 'differs',
  terms_differ: 'differs',
  network_mismatch: 'differs',
  bad_challenge: 'unpayable',
  asset_not_usdc: 'unpayable',
  network_unsupported: 'unpayable',
  no_paywall: 'no_endpoint',
  name_not_found: 'no_endpoint',
  path_template: 'no_endpoint',
  ssrf_blocked: 'no_endpoint',
  needs_input: 'set_aside',
};

export const SKIP_REASONS: readonly SkipCode[] = Object.keys(GROUP_OF).filter(isSkipCode);

export interface SkipGroupWords {
  readonly group: SkipGroup;
  readonly title: string;
  /** One sentence about what its members have in common. */
  readonly about: string;
  readonly codes: readonly SkipCode[];
}

const WORDS: Readonly<Record<SkipGroup, Omit<SkipGroupWords, 'group' | 'codes'>>> = {
  differs: {
    title: 'Asks for other terms than listed',
    about:
      'The live 402 names another payee, price or network than the list, or other terms to other visitors.',
  },
  unpayable: {
    title: 'Cannot be paid',
    about: 'The live 402 has no terms that a buyer of USDC on a supported mainnet could sign.',
  },
  no_endpoint: {
    title: 'Not an endpoint',
    about: 'No 402 was returned: nothing is sold at this URL, or nothing is there.',
  },
  set_aside: {
    title: 'Set aside',
    about:
      'They refused a request without input before they asked for payment. That says nothing against them, and they do not count among the skips. A check with the input that they need can tell more.',
  },
};

const ORDER: readonly SkipGroup[] = ['differs', 'unpayable', 'no_endpoint', 'set_aside'];

export const SKIP_GROUPS: readonly SkipGroupWords[] = ORDER.map((group) => ({
  group,
  ...WORDS[group],
  codes: SKIP_REASONS.filter((code) => GROUP_OF[code] === group),
}));

/** Total, so that every row of a page has its place. */
export function groupOf(code: CrawlCode): SkipGroup {
  return isSkipCode(code) ? GROUP_OF[code] : 'no_endpoint';
}
