import type { HeaderFields } from '../header-values.ts';

/** The methods a probe may use; POST sends an empty JSON object. */
export type ProbeMethod = 'GET' | 'POST';

/** What one unpaid request brought back, in our own vocabulary; a prober never returns a library's text. */
export type ProbeOutcome =
  | ProbeAnswer
  /** The answer's header block went over its budget: it cannot be read, but the target is there. */
  | { readonly kind: 'headers_too_large' }
  | { readonly kind: 'timed_out' }
  | { readonly kind: 'unreachable'; readonly cause: UnreachableCause }
  /** A resolved address or a hop was refused; nothing was sent to it. */
  | { readonly kind: 'blocked' };

export interface ProbeAnswer {
  readonly kind: 'answered';
  readonly status: number;
  readonly headers: HeaderFields;
  readonly body: Uint8Array;
  readonly bodyComplete: boolean;
}

/** Only the first means that the name does not exist; the others may pass by themselves. */
export type UnreachableCause =
  | 'name_not_found'
  | 'name_lookup_failed'
  | 'connection_failed'
  | 'tls_failed'
  | 'not_http';
