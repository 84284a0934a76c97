import type { HeaderFields } from '../header-values.ts';
import type { TargetUrl } from '../url/target-url.ts';
import type { ProbeMethod, ProbeOutcome } from '../verdict/probe-outcome.ts';

/** One more unpaid request of a lint, beside its probes. A closed list: nobody else may send HEAD or OPTIONS. */
export type Inspection =
  /** The same request with an Origin, as a page in a browser sends it. */
  | {
      readonly kind: 'browser';
      readonly target: TargetUrl;
      readonly method: ProbeMethod;
      readonly body: string;
    }
  /** What a browser asks before the paid request. */
  | { readonly kind: 'preflight'; readonly target: TargetUrl; readonly method: ProbeMethod }
  | { readonly kind: 'head'; readonly target: TargetUrl }
  | { readonly kind: 'document'; readonly target: TargetUrl; readonly path: DocumentPath };

export type DocumentPath = '/openapi.json' | '/.well-known/x402';

/** Redirects are not followed. */
export type Look =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly headers: HeaderFields;
      readonly body: string;
    }
  | { readonly kind: 'failed'; readonly fault: 'redirected' | 'too_large' | 'no_answer' };

export type Inspect = (inspection: Inspection) => Promise<Look>;

/** Everything that was seen of one endpoint; null is what was not asked for. */
export interface Seen {
  /** Null for a 402 in a file. */
  readonly target: TargetUrl | null;
  readonly method: ProbeMethod;
  /** False for a document without the response around it. */
  readonly hasHeaders: boolean;
  readonly bare: ProbeOutcome;
  readonly withInput: ProbeOutcome | null;
  readonly browser: Look | null;
  readonly preflight: Look | null;
  readonly head: Look | null;
  readonly openapi: Look | null;
  readonly wellKnown: Look | null;
}
