import type { HeaderFields } from '../header-values.ts';

/** The methods a probe may use; POST sends an empty JSON object. */
export type ProbeMethod = 'GET' | 'POST';

/** The outcome of one unpaid request in our own terms, without any text of a library. */
export type ProbeOutcome =
  | ProbeAnswer
  /** The header block exceeds the limit: it cannot be read, but the target is reachable. */
  | { readonly kind: 'headers_too_large' }
  | { readonly kind: 'timed_out' }
  | { readonly kind: 'unreachable'; readonly cause: UnreachableCause }
  /** A resolved address or a redirect was refused; nothing was sent to it. */
  | { readonly kind: 'blocked' };

export interface ProbeAnswer {
  readonly kind: 'answered';
  readonly status: number;
  readonly headers: HeaderFields;
  readonly body: Uint8Array;
  readonly bodyComplete: boolean;
}

/** Only the first means that the name does not exist; the others may be temporary. */
export type UnreachableCause =
  | 'name_not_found'
  | 'name_lookup_failed'
  | 'connection_failed'
  | 'tls_failed'
  | 'not_http';
