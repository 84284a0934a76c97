import type { NeedsInput } from '../input/needs-input.ts';
import type { Expected, Listing } from '../verdict/expected-terms.ts';
import type { Terms } from '../x402/terms.ts';
import {
  CRAWL_FORM,
  type CrawlStatement,
  LIVE_FORM,
  type LiveStatement,
  type Quoted,
  type StatedDiagnostic,
  type Statement,
} from './statement.ts';
import { seenMembers } from './write-seen.ts';
import { viewsMembers } from './write-views.ts';

export function writeStatement(statement: Statement): string {
  return statement.kind === 'live'
    ? writeLive(statement, statement.seen, statement.salt)
    : writeCrawl(statement);
}

/**
 * One line in the canonical form of RFC 8785: members are written in the order of their names, and those without a value are
 * left out. Sorting would take ten times as long.
 */
export function writeLive(
  statement: Omit<LiveStatement, 'seen' | 'salt'>,
  seen: LiveStatement['seen'],
  salt: string,
): string {
  const { approvedPayment, paymentTermsSha256, listing, probe } = statement;
  return JSON.stringify({
    approved: approvedPayment === null ? undefined : approvedMembers(approvedPayment, paymentTermsSha256),
    assay: LIVE_FORM,
    check_type: statement.checkType,
    checked_at: statement.checkedAt,
    diagnostics: diagnosticMembers(statement.diagnostics),
    expected: expectedMembers(statement.expected),
    id: statement.id,
    listed_method: statement.listedMethod ?? undefined,
    listing: listing === null ? undefined : listingMembers(listing),
    method: statement.method,
    mode: statement.mode,
    needs_input: needsInputMembers(statement.needsInput),
    other_method: statement.otherMethod ?? undefined,
    probe: { at: probe.probedAt, reused: probe.cached || undefined },
    reason: statement.reason,
    reason_text: statement.reasonText,
    ref: statement.ref ?? undefined,
    rules: statement.rulesVersion,
    salt,
    seen: seenMembers(seen),
    task: statement.task ?? undefined,
    url: statement.url,
    vantages: viewsMembers(statement.views),
    verdict: statement.verdict,
  });
}

export function writeCrawl(statement: CrawlStatement): string {
  const { seen, checkedAt, quoted } = statement;
  return JSON.stringify({
    assay: CRAWL_FORM,
    checked_at: checkedAt,
    code: statement.code,
    diagnostics: diagnosticMembers(statement.diagnostics),
    expected: expectedMembers(statement.expected),
    id: statement.id,
    listed_in: statement.listedIn,
    listed_method: statement.listedMethod ?? undefined,
    method: statement.method,
    needs_input: needsInputMembers(statement.needsInput),
    other_method: statement.otherMethod ?? undefined,
    probe: seen === null ? undefined : { at: checkedAt },
    quoted: quoted === null ? undefined : quotedMembers(quoted),
    reason: statement.reason,
    rules: statement.rulesVersion,
    run: statement.run,
    salt: statement.salt,
    seen: seen === null ? undefined : seenMembers(seen),
    source_list: statement.sourceList,
    takes_path: statement.takesPath || undefined,
    url: statement.url,
    vantages: viewsMembers(statement.views),
    verdict: statement.verdict,
  });
}

export function approvedMembers(terms: Terms, sha256: string | null) {
  return {
    amount: terms.amountAtomic.toString(),
    asset: terms.asset,
    deadline: terms.deadline.toISOString(),
    deadline_source: terms.deadlineSource,
    max_timeout_seconds: terms.maxTimeoutSeconds ?? undefined,
    network: terms.network,
    pay_to: terms.payTo,
    scheme: terms.scheme,
    sha256: sha256 ?? undefined,
  };
}

export function quotedMembers({ network, payTo, price }: Quoted) {
  return { network: network ?? undefined, pay_to: payTo, price: price?.toString() };
}

function expectedMembers({ network, payTo, price, source }: Expected) {
  return {
    network: network ?? undefined,
    pay_to: payTo ?? undefined,
    price: price?.toString(),
    source: source ?? undefined,
  };
}

function listingMembers({ network, payTo, price, sourceList }: Listing) {
  return {
    network: network ?? undefined,
    pay_to: payTo ?? undefined,
    price: price?.toString(),
    source_list: sourceList,
  };
}

function diagnosticMembers(diagnostics: readonly StatedDiagnostic[]) {
  if (diagnostics.length === 0) return undefined;
  return diagnostics.map(({ code, path, source }) => ({ code, path: path ?? undefined, source }));
}

/** The example as pairs: an object would lose the key `__proto__` and the order of keys that look like integers. */
function needsInputMembers(needs: NeedsInput | null) {
  if (needs === null) return undefined;
  const { example, method, missing, status, tried } = needs;
  return { example: example === null ? undefined : Object.entries(example), method, missing, status, tried };
}
