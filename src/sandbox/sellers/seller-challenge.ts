import { mainnetOf, parseNetwork } from '../../core/x402/networks.ts';
import type { LoopbackAnswer } from '../loopback-server.ts';
import type { SaleTerms } from './sale-terms.ts';

/** Which clients can read the demand: version 1 in the body, version 2 in a header, or both at once. */
export type Versions = 'v1' | 'v2' | 'both';

export interface Demand {
  readonly terms: SaleTerms;
  readonly versions: Versions;
  /** The address that was asked, without its query. */
  readonly url: string;
  readonly about: string;
  /** Why the call was not served. */
  readonly error: string;
}

/** The domain of USDC's signatures; buyers need it to sign. */
const DOMAIN = { name: 'USD Coin', version: '2' };

export function demandPayment(demand: Demand): LoopbackAnswer {
  const { versions } = demand;
  const body = versions === 'v2' ? { error: demand.error } : demandV1(demand);
  return {
    kind: 'json',
    status: 402,
    body: JSON.stringify(body),
    ...(versions === 'v1' ? {} : { headers: { 'payment-required': base64(demandV2(demand)) } }),
  };
}

export function base64(document: unknown): string {
  return Buffer.from(JSON.stringify(document)).toString('base64');
}

function demandV2({ terms, url, about, error }: Demand) {
  const resource = { url, description: about, mimeType: 'application/json' };
  return { x402Version: 2, error, resource, accepts: [entryV2(terms)] };
}

/** One entry of `accepts`; the lists carry the same. */
export function entryV2({ amount, network, asset, payTo, seconds }: SaleTerms) {
  return {
    scheme: 'exact',
    network,
    amount: amount.toString(),
    asset,
    payTo,
    maxTimeoutSeconds: seconds,
    extra: DOMAIN,
  };
}

function demandV1({ terms, url, about, error }: Demand) {
  return { x402Version: 1, error, accepts: [entryV1(terms, url, about)] };
}

export function entryV1({ amount, network, asset, payTo, seconds }: SaleTerms, url: string, about: string) {
  return {
    scheme: 'exact',
    network: mainnetOf(parseNetwork(network))?.name ?? network,
    maxAmountRequired: amount.toString(),
    resource: url,
    description: about,
    mimeType: 'application/json',
    payTo,
    maxTimeoutSeconds: seconds,
    asset,
    extra: DOMAIN,
  };
}
