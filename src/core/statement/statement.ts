import type { Diagnostic } from '../diagnose/diagnostic.ts';
import type { NeedsInput } from '../input/needs-input.ts';
import type { MicroUsd } from '../money/micro-usd.ts';
import type { CheckType } from '../receipt/live-receipt.ts';
import type { Views } from '../vantage/view.ts';
import type { CrawlCode } from '../verdict/crawl-words.ts';
import type { Expected, Listing } from '../verdict/expected-terms.ts';
import type { Seen } from '../verdict/observation.ts';
import type { ProbeMethod } from '../verdict/probe-outcome.ts';
import type { Reason, Verdict } from '../verdict/verdict.ts';
import type { Caip2 } from '../x402/networks.ts';
import type { Terms } from '../x402/terms.ts';

/**
 * What a receipt says, and all that the judge looked at: anybody who has it can judge again. Nothing in it is derived from the rest
 * but the verdict itself, so that a receipt and its statement cannot differ.
 */
export type Statement =
  | ({ readonly kind: 'live' } & LiveStatement)
  | ({ readonly kind: 'crawl' } & CrawlStatement);

interface CommonStatement {
  readonly id: string;
  readonly url: string;
  readonly method: ProbeMethod;
  readonly checkedAt: Date;
  readonly expected: Expected;
  readonly verdict: Verdict['verdict'];
  /** Null where no listing names one. */
  readonly listedMethod: ProbeMethod | null;
  readonly needsInput: NeedsInput | null;
  readonly otherMethod: ProbeMethod | null;
  readonly diagnostics: readonly StatedDiagnostic[];
  readonly rulesVersion: string;
  /** What others saw; null where nobody was asked. */
  readonly views: Views | null;
  /** Random, so that nobody can guess the rest and confirm it by the hash. */
  readonly salt: string;
}

export interface LiveStatement extends CommonStatement {
  readonly checkType: CheckType;
  readonly mode: 'live' | 'dry-run';
  readonly ref: string | null;
  readonly task: string | null;
  readonly listing: Listing | null;
  readonly reason: Reason;
  readonly reasonText: string;
  readonly approvedPayment: Terms | null;
  readonly paymentTermsSha256: string | null;
  readonly probe: { readonly probedAt: Date; readonly cached: boolean };
  readonly seen: Seen;
}

export interface CrawlStatement extends CommonStatement {
  readonly run: string;
  readonly code: CrawlCode;
  readonly reason: string;
  readonly sourceList: string;
  readonly listedIn: readonly string[];
  readonly takesPath: boolean;
  /** The offer that the verdict is about, so that a listing needs no judging. */
  readonly quoted: Quoted | null;
  /** Null where no request was sent. */
  readonly seen: Seen | null;
}

export interface Quoted {
  readonly network: Caip2 | null;
  readonly payTo: string;
  readonly price: MicroUsd | null;
}

/** The table of codes explains more than judging again needs. */
export interface StatedDiagnostic extends Omit<Diagnostic, 'code'> {
  readonly code: string;
}

export const LIVE_FORM = 'receipt/1';
export const CRAWL_FORM = 'crawl/1';

export const SALT_BYTES = 16;

export function saltOf(entropy: Uint8Array): string {
  if (entropy.byteLength !== SALT_BYTES) throw new Error(`a salt needs ${SALT_BYTES} random bytes`);
  return Buffer.from(entropy).toString('base64url');
}
