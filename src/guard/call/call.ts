import type { MicroUsd } from '../../core/money/micro-usd.ts';
import { sha256 } from '../sha256.ts';

/** What the caller says about a request, in `init.assay` or in X-Assay headers. It can only tighten the policy. */
export interface CallScope {
  readonly purchase: string | null;
  readonly task: string | null;
  readonly maxPrice: MicroUsd | null;
}

/** A request that may turn out to be a purchase. Its identities are hashes: a ledger holds no secret of a URL or body. */
export interface Call extends CallScope {
  readonly url: URL;
  /** Its name for lists and limits. */
  readonly host: string;
  readonly method: string;
  readonly bodySha256: string | null;
  /** False for a body that cannot be sent again: such a request can be sent, but never paid for. */
  readonly isRepeatable: boolean;
  /** The SHA-256 of what the caller logs in with: answers and payments are shared only among callers who have the same. */
  readonly credentials: string | null;
  readonly request: string;
  readonly key: string;
}

export type CallParts = Omit<Call, 'host' | 'request' | 'key'>;

export function callOf(parts: CallParts): Call {
  const { method, bodySha256, purchase } = parts;
  // A fragment is not sent: with any, it is the same request for ledger and listings.
  const url = new URL(parts.url);
  url.hash = '';
  const request = sha256(`${method}\n${url.href}\n${bodySha256 ?? ''}`);
  const key = purchase === null ? request : sha256(`${request}\n${purchase}`);
  return { ...parts, url, host: hostOf(url.hostname), request, key };
}

/** DNS has the same host under its name with a dot at the end, which would have limits of its own. */
export function hostOf(name: string): string {
  return name.replace(/\.$/, '');
}

export function endpointOf({ method, url }: Pick<Call, 'method' | 'url'>): string {
  return sha256(`${method}\n${url.origin}\n${url.pathname}`);
}
