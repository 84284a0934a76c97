import type { CrawlCode } from '../verdict/crawl-words.ts';
import type { Verdict } from '../verdict/verdict.ts';

/**
 * The byte of each finding. Never renumbered: files of every release are read by every later one. 1 to 15 are `pay` and have a
 * tag, 16 to 63 are `skip`, 64 to 127 are `recheck`.
 */
export const SNAPSHOT_CODES = {
  price_ok: 1,
  price_mismatch: 16,
  network_mismatch: 17,
  pay_to_mismatch: 18,
  asset_not_usdc: 19,
  network_unsupported: 20,
  no_paywall: 21,
  bad_challenge: 22,
  ssrf_blocked: 23,
  path_template: 24,
  name_not_found: 25,
  needs_input: 26,
  terms_differ: 27,
  free_trial_active: 64,
  timeout: 65,
  server_error: 66,
  unreachable: 67,
  host_silent: 68,
  unconfirmed: 69,
} as const satisfies Readonly<Record<CrawlCode, number>>;

const LAST_PAY = 15;
const LAST_SKIP = 63;
const LAST_RECHECK = 127;

export interface SnapshotFinding {
  readonly verdict: Verdict['verdict'];
  readonly code: CrawlCode;
}

/** Null for a number of a later release. */
export function findingOf(number: number): SnapshotFinding | null {
  return FINDINGS.get(number) ?? null;
}

const FINDINGS: ReadonlyMap<number, SnapshotFinding> = new Map(
  Object.entries(SNAPSHOT_CODES).flatMap(([code, number]): [number, SnapshotFinding][] =>
    isCrawlCode(code) ? [[number, { verdict: verdictOf(number), code }]] : [],
  ),
);

function isCrawlCode(text: string): text is CrawlCode {
  return Object.hasOwn(SNAPSHOT_CODES, text);
}

function verdictOf(number: number): Verdict['verdict'] {
  if (number <= LAST_PAY) return 'pay';
  return number <= LAST_SKIP ? 'skip' : 'recheck';
}

/** Only what may be paid has terms. */
export function hasTag(number: number): boolean {
  return number >= 1 && number <= LAST_PAY;
}

/** Also numbers of later releases, which read as unknown. */
export function isCodeNumber(number: number): boolean {
  return number >= 1 && number <= LAST_RECHECK;
}
