import { isSameAddress } from '../x402/address.ts';
import { mainnetOf, parseNetwork } from '../x402/networks.ts';
import { found } from './checks.ts';
import {
  CLIENTS,
  type ClientName,
  type ClientReading,
  type ClientRefusal,
  type Payment,
} from './clients/client-reading.ts';
import type { Finding } from './finding.ts';

/** Without the payers that read what was not seen. */
export type ClientReadings = ReadonlyMap<ClientName, ClientReading>;

export const CLIENT_CHECKS = {
  x402_fetch: 'payer_x402_fetch',
  x402_axios: 'payer_x402_axios',
  x402_fetch_v1: 'payer_x402_fetch_v1',
  faremeter: 'payer_faremeter',
} as const satisfies Record<ClientName, string>;

/** With what to do about it. */
export const REFUSALS: Readonly<Record<ClientRefusal, readonly [why: string, fix: string]>> = {
  no_terms: [
    'it finds no terms of its version where it reads',
    'Send the terms in header and body, if you want all payers.',
  ],
  unreadable: ['it cannot decode the terms', 'Send base64 of JSON in PAYMENT-REQUIRED, once.'],
  version: ['the version of the terms is none of its own', 'Send the number 2 as x402Version in the header.'],
  malformed: [
    'its parser rejects an entry or the document, and with it all entries',
    'Send every member that the version requires, in every entry: texts as texts, and resource.',
  ],
  nothing_to_sign: [
    'no entry is for a network, scheme and token that it pays with',
    'Offer the canonical USDC on Base with the scheme exact.',
  ],
  above_limit: [
    'the price is above the limit that it has unless its user raises it',
    'Tell buyers to raise it: it is ten cents in x402-fetch, and a dollar in @x402/fetch.',
  ],
  unsignable: [
    'it cannot sign the entry that it chooses',
    'Send amount, payTo, maxTimeoutSeconds, and the name and version of the token in extra.',
  ],
};

export function clientFindings(readings: ClientReadings): Finding[] {
  const refusals = [...readings].flatMap(([name, reading]) => {
    if (reading.kind === 'signs') return [];
    const [why, fix] = REFUSALS[reading.why];
    // Another version is a choice: the checks of the versions speak of it.
    const level = reading.why === 'no_terms' || reading.why === 'above_limit' ? 'note' : 'warning';
    const source = name === 'x402_fetch_v1' ? 'body' : 'header';
    return [
      found(CLIENT_CHECKS[name], source, { level, problem: `${CLIENTS[name]} would not pay: ${why}.`, fix }),
    ];
  });
  const payments = [...readings.values()].flatMap((reading) =>
    reading.kind === 'signs' ? [reading.pays] : [],
  );
  const differ = payments.some((left) => payments.some((right) => isOther(left, right)));
  return differ ? [...refusals, found('payers_differ', 'answer')] : refusals;
}

/** The same amount of USDC on another mainnet is an honest offer; another payee, amount or token is not. */
function isOther(left: Payment, right: Payment): boolean {
  const isSameToken =
    parseNetwork(left.network) === parseNetwork(right.network) && isSameAddress(left.asset, right.asset);
  return (
    !isSameAddress(left.payTo, right.payTo) ||
    left.amountAtomic !== right.amountAtomic ||
    !(isSameToken || (isUsdc(left) && isUsdc(right)))
  );
}

function isUsdc({ network, asset }: Payment): boolean {
  const mainnet = mainnetOf(parseNetwork(network));
  return mainnet !== null && isSameAddress(asset, mainnet.usdc);
}

export function clientNames(): readonly ClientName[] {
  return ['x402_fetch', 'x402_axios', 'x402_fetch_v1', 'faremeter'];
}
