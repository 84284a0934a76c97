import { DEADLINE_MAX_SECONDS, SANE_PRICE_MAX } from '../limits.ts';
import { formatUsd } from '../money/micro-usd.ts';
import { USDC_DOMAIN } from '../x402/usdc-on-base.ts';
import { type Explanation, error, warning } from './explanation.ts';

const DIGITS = 'Send the amount in atomic units as a string of digits: "10000" is 0.01 USDC.';
const NETWORKS = 'Use the CAIP-2 name of a supported mainnet, such as "eip155:8453" for Base.';
const DOMAIN = `"name": "${USDC_DOMAIN.name}" and "version": "${USDC_DOMAIN.version}"`;

/** One entry of `accepts`. */
export const ENTRY_CODES = {
  entry_not_object: error('An entry of accepts is not an object.', 'Make every entry a JSON object.'),
  entry_ignored: warning(
    'This entry cannot be read and is ignored; another one can be paid.',
    'Correct or remove it.',
  ),
  scheme_missing: error('The scheme is missing.', 'Add "scheme": "exact".'),
  scheme_not_exact: error(
    'The scheme is not exact: the payment would not be of a fixed amount.',
    'Offer at least one entry with "scheme": "exact", in lower case.',
  ),
  network_missing: error('The network is missing.', NETWORKS),
  network_unknown: error('The network is not a name that clients know.', NETWORKS),
  test_network: error('The network is a test network: nothing of value is paid.', NETWORKS),
  network_unsupported: error('Payments on this network are not supported.', NETWORKS),
  v1_network_name: warning(
    'The network has its name of version 1. Clients of version 2 do not find it.',
    'In version 2 use the CAIP-2 name, such as "eip155:8453" instead of "base".',
  ),
  v2_network_name: warning(
    'The network has its name of version 2. Clients of version 1 do not find it.',
    'In version 1 use the short name, such as "base" instead of "eip155:8453".',
  ),
  asset_missing: error('The asset is missing.', 'Add the address of the USDC contract of the network.'),
  asset_not_usdc: error(
    'The asset is not the canonical USDC of its network.',
    'Use the USDC address that Circle publishes for this network. Symbols and bridged tokens are not accepted.',
  ),
  payee_missing: error(
    'The payee is missing or empty.',
    'Set payTo to your wallet address. Check that the variable with your address is set where the server runs.',
  ),
  payee_not_address: error(
    'The payee is not an address of this network.',
    'Use 0x and 40 hexadecimal digits on EVM networks, a base58 address on Solana; names such as ENS do not work.',
  ),
  payee_nobody: error(
    'The payee is a burn address: the money would be lost.',
    'Set payTo to your wallet address.',
  ),
  payee_is_token: error(
    'The payee is the token contract itself: the money would be lost.',
    'Set payTo to your wallet address and asset to the token contract.',
  ),
  amount_missing: error('The amount is missing.', DIGITS),
  amount_in_dollars: error('The amount is a decimal number, as if in dollars.', DIGITS),
  amount_negative: error('The amount is negative.', DIGITS),
  amount_not_digits: error(
    'The amount is not a plain number of atomic units.',
    `${DIGITS} No blanks, leading zeros, exponents, signs or hexadecimal digits.`,
  ),
  amount_zero: error('The amount is zero.', 'Ask for a price above zero, or serve the resource without 402.'),
  amount_too_high: error(
    `The amount is above $${formatUsd(SANE_PRICE_MAX)}, which is not approved without a claimed or listed price.`,
    'Check the decimals: USDC has six, so "10000" is 0.01 USDC. 18 decimals are a common mistake.',
  ),
  amounts_differ: error(
    'amount and maxAmountRequired differ.',
    'Send amount in version 2 and maxAmountRequired in version 1, or the same value in both.',
  ),
  amount_number: warning(
    'The amount is a JSON number. Many clients accept only a string.',
    'Send it as a string: "10000".',
  ),
  v1_amount_name: warning(
    'The amount has its name of version 1. Clients of version 2 read amount.',
    'In version 2 call it amount.',
  ),
  v2_amount_name: warning(
    'The amount has its name of version 2. Clients of version 1 read maxAmountRequired.',
    'In version 1 call it maxAmountRequired.',
  ),
  timeout_missing: warning(
    'maxTimeoutSeconds is missing. Most clients cannot sign without it.',
    'Add "maxTimeoutSeconds": 60.',
  ),
  timeout_invalid: warning(
    'maxTimeoutSeconds is not a whole number of seconds above zero.',
    'Send a number such as 60, not text.',
  ),
  timeout_too_long: error(
    'The signature would be valid for more than a day.',
    `Set maxTimeoutSeconds to a JSON number of at most ${DEADLINE_MAX_SECONDS}; 60 to 300 seconds are enough.`,
  ),
  terms_expired: error(
    'The terms have expired.',
    'Set validBefore to a time to come on every response, in seconds since 1970; check for cached responses and a wrong clock.',
  ),
  transfer_method: error(
    'The entry asks for another transfer than an EIP-3009 authorization of this asset on this network.',
    'Remove this member, or offer an entry without it before this one.',
  ),
  domain_missing: warning(
    'The EIP-712 name or version of the token is missing. Clients cannot sign without it.',
    `For USDC add to extra: ${DOMAIN}.`,
  ),
  domain_wrong: warning(
    'The EIP-712 name or version is not that of USDC on this network. The signature would be invalid.',
    `On the mainnets use ${DOMAIN}.`,
  ),
  fee_payer_missing: warning(
    'On Solana clients cannot build a payment without extra.feePayer.',
    'Add the fee payer that your facilitator publishes.',
  ),
  conflicting_names: error(
    'A second spelling of this member has another value. Clients disagree on which one counts.',
    'Send each member once, under exactly the name in the path.',
  ),
  v1_member_missing: warning(
    'Version 1 requires this member. Clients of version 1 refuse the entry without it.',
    'Add it as a string; resource is the URL that is paid for.',
  ),
} as const satisfies Readonly<Record<string, Explanation>>;
