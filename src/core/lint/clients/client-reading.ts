/** The payers that are modelled, as they are sold, with an EVM wallet on Base and their own defaults. */
export const CLIENTS = {
  x402_fetch: '@x402/fetch 2.27',
  x402_axios: '@x402/axios 2.11',
  x402_fetch_v1: 'x402-fetch 1.2',
  faremeter: '@faremeter/fetch 0.22',
} as const;

export type ClientName = keyof typeof CLIENTS;

/** What a payer makes of a 402. */
export type ClientReading = Signs | Refuses;

export interface Signs {
  readonly kind: 'signs';
  readonly source: 'header' | 'body';
  /** The position in `accepts` of the entry that it signs. */
  readonly entry: number;
  readonly by: 'transfer' | 'permit2';
  /** What is paid; every text has passed the pattern of its kind. */
  readonly pays: Payment;
}

export interface Payment {
  readonly network: string;
  readonly asset: string;
  readonly payTo: string;
  readonly amountAtomic: bigint;
}

export interface Refuses {
  readonly kind: 'refuses';
  readonly why: ClientRefusal;
}

export type ClientRefusal =
  /** There are none of its version in the place that it reads: the header alone, or the body alone. */
  | 'no_terms'
  | 'unreadable'
  | 'version'
  /** One entry that its parser rejects stops it, whatever the others are. */
  | 'malformed'
  | 'nothing_to_sign'
  | 'above_limit'
  /** It chose an entry and cannot sign it. */
  | 'unsignable';

export function refuses(why: ClientRefusal): Refuses {
  return { kind: 'refuses', why };
}
