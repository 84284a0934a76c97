import { CRAWL_TIMEOUT_MS, SANE_PRICE_MAX } from '../../core/limits.ts';
import { formatUsd } from '../../core/money/micro-usd.ts';
import type { RuleId } from '../../core/verdict/rules.ts';

/** The purpose of a rule, for readers of a receipt. */
export interface RuleText {
  /** What could happen to a buyer without the rule. */
  readonly why: string;
  /** What the seller does about a failure. */
  readonly fix: string;
}

export const RULE_TEXTS: Readonly<Record<RuleId, RuleText>> = {
  public_address: {
    why: 'A URL that leads into a private network would make an agent send requests to machines that trust their own network.',
    fix: 'Serve the endpoint under a name that resolves to public addresses only. A host that has opted out is not requested.',
  },
  reachable: {
    why: 'An endpoint that cannot be reached shows no terms. A payment signed from an old listing alone is a guess.',
    fix: 'Publish DNS records for the name, listen on the port of the URL, and keep the certificate valid for that name.',
  },
  in_time: {
    why: 'Terms that arrive after the check has ended were compared with nothing.',
    fix: `Send the 402 before any slow work, within ${CRAWL_TIMEOUT_MS / 1_000} seconds, also after a cold start.`,
  },
  bounded_headers: {
    why: 'Terms in oversized header fields can be read by one client and dropped by another, so it is unclear what is signed.',
    fix: 'Keep PAYMENT-REQUIRED and the other header fields small. Leave descriptions, schemas and examples out of the terms.',
  },
  healthy: {
    why: 'A server error is not an offer. The terms of the endpoint once it works again are unknown.',
    fix: 'Repair the error, and send the 402 before the code that fails.',
  },
  asks_payment: {
    why: 'Without x402 terms there is nothing to compare. A page or a redirect in their place can lead to a payment that nobody checked.',
    fix: 'Answer an unpaid request with HTTP 402 and the terms in PAYMENT-REQUIRED (version 2) or in the JSON body (version 1), before the input is validated.',
  },
  readable: {
    why: 'Terms with two readings show one price to the check and another one to the payer.',
    fix: 'Send valid JSON with every required field in its right type. assay lint names the fault and its position.',
  },
  exact: {
    why: 'Without an exact amount the seller decides after the signature how much is taken.',
    fix: 'Offer at least one entry with the scheme exact.',
  },
  unexpired: {
    why: 'Expired terms come from an old response. A payment for them can fail after it was signed.',
    fix: 'Generate the terms for each response, let no cache store a 402, and check the clock of the server.',
  },
  one_day: {
    why: 'Until it expires, a signed payment can be cashed at any time. One that is valid for weeks can be cashed long after the purchase.',
    fix: 'Set maxTimeoutSeconds to what a settlement takes, at most 86400.',
  },
  plain_transfer: {
    why: 'Another method can grant an allowance, from which more than the price can be taken, and more than once.',
    fix: 'Ask for USDC by a transfer authorization (EIP-3009) on EVM networks, without another transfer method in extra.',
  },
  expected_network: {
    why: 'On another chain the same address can have another owner, and the same token name can belong to a worthless token.',
    fix: 'Offer the listed network, or correct the listing.',
  },
  supported_network: {
    why: 'On a test network, or on an unknown chain, it is not certain which token is the real USDC.',
    fix: 'Add an entry on a supported mainnet, such as Base.',
  },
  usdc: {
    why: 'Anybody can issue a token that is called USDC. Only the contract of its issuer is worth a dollar.',
    fix: 'Put the canonical USDC contract of the network into asset.',
  },
  expected_payee: {
    why: 'An attacker who takes over a server, its DNS or a proxy can put another wallet into the response. The listing still names the right one.',
    fix: 'If the live payee is yours, update the listing. If you do not know it, find out who changed the response of your endpoint.',
  },
  expected_price: {
    why: 'A price that rises after the listing was read is paid before anybody notices. A lower one shows that the listing is out of date.',
    fix: 'Ask for exactly the listed price, or update the listing.',
  },
  plausible_price: {
    why: 'With no price to compare, a misplaced decimal point or a greedy seller empties the wallet with one payment.',
    fix: `USDC has six decimals: 10000 is $0.01. A price above $${formatUsd(SANE_PRICE_MAX)} passes only where exactly that price is listed or expected.`,
  },
  able_payee: {
    why: 'USDC that is sent to a burn address, or to the token contract, is lost.',
    fix: 'Put the address of a wallet on that network into payTo.',
  },
  one_spelling: {
    why: 'With two values for one term, the check can read the first and the payer can sign the second.',
    fix: 'Send each term once. Where two versions of x402 name it differently, send the same value.',
  },
  one_demand: {
    why: 'A client may sign any entry. One bad entry beside a good one is enough to lose the money.',
    fix: 'Remove entries with another payee or a higher price, and ask for the same in header and body.',
  },
  no_trial: {
    why: 'During a free trial the call costs nothing, so a payment would buy what is free.',
    fix: 'Nothing is broken. The endpoint can be approved once it no longer announces a trial.',
  },
  same_for_all: {
    why: 'A seller who knows our address could show us honest terms, and those of a thief to everybody else.',
    fix: 'Ask everybody for the same payment. A payee or price that differs for each visitor cannot be approved from this price on.',
  },
  confirmed: {
    why: 'From this price on, one request from one network is not enough to approve a payment.',
    fix: 'Answer requests from every network in the same way, within the same time, and do not block the other points of view.',
  },
};
