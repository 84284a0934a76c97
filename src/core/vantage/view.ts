import type { Seen } from '../verdict/observation.ts';

/** What another point of view saw of a request, in its own words and under its signature. */
export interface View {
  /** Its verifier key, as in a policy: name, id and Ed25519 key. */
  readonly vantage: string;
  /** The SHA-256, in hexadecimal, of the request that it answered, which has our nonce. */
  readonly request: string;
  readonly at: Date;
  readonly seen: Seen;
  /** Base64, over the text of the observation. */
  readonly signature: string;
}

/** The views of one check. */
export interface Views {
  /** How many had to agree. */
  readonly needed: number;
  /** Those that came in time, in the order of the configuration. */
  readonly views: readonly View[];
}
