import { mainnetOf, parseNetwork } from '../../core/x402/networks.ts';
import { USDC_DOMAIN } from '../../core/x402/usdc-on-base.ts';
import type { LoopbackAnswer } from '../loopback-server.ts';
import type { SaleTerms } from './sale-terms.ts';

/** Which clients can read the challenge: version 1 in the body, version 2 in a header, or both at once. */
export type Versions = 'v1' | 'v2' | 'both';

export interface Challenge {
  readonly terms: SaleTerms;
  readonly versions: Versions;
  /** The address that was asked, without its query. */
  readonly url: string;
  readonly about: string;
  /** Why the call was not served. */
  readonly error: string;
}

export function sellerChallenge(challenge: Challenge): LoopbackAnswer {
  const { versions } = challenge;
  const body = versions === 'v2' ? { error: challenge.error } : challengeV1(challenge);
  return {
    kind: 'json',
    status: 402,
    body: JSON.stringify(body),
    ...(versions === 'v1' ? {} : { headers: { 'payment-required': base64(challengeV2(challenge)) } }),
  };
}

export function base64(document: unknown): string {
  return Buffer.from(JSON.stringify(document)).toString('base64');
}

function challengeV2({ terms, url, about, error }: Challenge) {
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
    extra: USDC_DOMAIN,
  };
}

function challengeV1({ terms, url, about, error }: Challenge) {
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
    extra: USDC_DOMAIN,
  };
}
