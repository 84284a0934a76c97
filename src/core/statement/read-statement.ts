import type { ExampleInput, NeedsInput } from '../input/needs-input.ts';
import type { CrawlCode } from '../verdict/crawl-words.ts';
import type { Expected, Listing } from '../verdict/expected-terms.ts';
import type { ProbeMethod } from '../verdict/probe-outcome.ts';
import { type Reason, VERDICT_OF_REASON, type Verdict } from '../verdict/verdict.ts';
import { isJsonObject, parseJson } from '../x402/read-json.ts';
import type { Terms } from '../x402/terms.ts';
import { readSeen } from './read-seen.ts';
import {
  flag,
  hexHash,
  listOf,
  type Members,
  membersOf,
  money,
  network,
  oneOf,
  optional,
  saltText,
  status,
  text,
  time,
  token,
  whole,
  wrong,
} from './read-values.ts';
import { readViews } from './read-views.ts';
import { CRAWL_FORM, LIVE_FORM, type Quoted, type StatedDiagnostic, type Statement } from './statement.ts';
import { writeStatement } from './write-statement.ts';

/**
 * The largest one: 64 offers in a header, 64 in the body and 128 demands, all with the longest tokens, take half of it, and the
 * views of others, which are bounded, the rest.
 */
const STATEMENT_MAX_CHARS = 524_288;

/**
 * Null for anything but the one text that we write for what it says: unknown members, other spellings and repeated names are
 * refused, too. Safe on files of strangers.
 */
export function readStatement(written: string, parsed?: unknown): Statement | null {
  if (written.length > STATEMENT_MAX_CHARS) return null;
  try {
    const statement = readValue(parsed ?? parseJson(written));
    return writeStatement(statement) === written ? statement : null;
  } catch {
    return null;
  }
}

/** Whether parsed JSON claims to be a statement. Receipts from before there were any do not. */
export function hasStatementForm(value: unknown): boolean {
  return isJsonObject(value) && Object.hasOwn(value, 'assay');
}

export function isStatement(stored: string): boolean {
  return hasStatementForm(parseJson(stored));
}

function readValue(value: unknown): Statement {
  const members = membersOf(value);
  const form = oneOf(members('assay'), [LIVE_FORM, CRAWL_FORM]);
  return form === LIVE_FORM ? readLive(members) : readCrawl(members);
}

/** Member by member in both forms: spreading what they have in common takes longer than reading it. */
function readLive(members: Members): Statement {
  const approved = members('approved');
  const probe = membersOf(members('probe'));
  return {
    kind: 'live',
    id: text(members('id')),
    url: text(members('url')),
    method: readMethod(members('method')),
    checkedAt: time(members('checked_at')),
    expected: readExpected(members('expected')),
    verdict: oneOf(members('verdict'), VERDICTS),
    listedMethod: optional(members('listed_method'), readMethod),
    needsInput: optional(members('needs_input'), readNeedsInput),
    otherMethod: optional(members('other_method'), readMethod),
    diagnostics: optional(members('diagnostics'), readDiagnostics) ?? [],
    rulesVersion: token(members('rules')),
    views: optional(members('vantages'), readViews),
    salt: saltText(members('salt')),
    checkType: oneOf(members('check_type'), ['dry-run', 'self-checked']),
    mode: oneOf(members('mode'), ['live', 'dry-run']),
    ref: optional(members('ref'), text),
    task: optional(members('task'), text),
    listing: optional(members('listing'), readListing),
    reason: readReason(members('reason')),
    reasonText: text(members('reason_text')),
    approvedPayment: optional(approved, readTerms),
    paymentTermsSha256: optional(approved, (terms) => hexHash(membersOf(terms)('sha256'))),
    probe: { probedAt: time(probe('at')), cached: flag(probe('reused')) },
    seen: readSeen(members('seen')),
  };
}

function readCrawl(members: Members): Statement {
  return {
    kind: 'crawl',
    id: text(members('id')),
    url: text(members('url')),
    method: readMethod(members('method')),
    checkedAt: time(members('checked_at')),
    expected: readExpected(members('expected')),
    verdict: oneOf(members('verdict'), VERDICTS),
    listedMethod: optional(members('listed_method'), readMethod),
    needsInput: optional(members('needs_input'), readNeedsInput),
    otherMethod: optional(members('other_method'), readMethod),
    diagnostics: optional(members('diagnostics'), readDiagnostics) ?? [],
    rulesVersion: token(members('rules')),
    views: optional(members('vantages'), readViews),
    salt: saltText(members('salt')),
    run: text(members('run')),
    code: readCode(members('code')),
    reason: text(members('reason')),
    sourceList: text(members('source_list')),
    listedIn: listOf(members('listed_in'), LISTS_MAX, text),
    takesPath: flag(members('takes_path')),
    quoted: optional(members('quoted'), readQuoted),
    seen: optional(members('seen'), readSeen),
  };
}

const METHODS: readonly ProbeMethod[] = ['GET', 'POST'];
const VERDICTS: readonly Verdict['verdict'][] = ['pay', 'skip', 'recheck'];
/** More lists than anybody configures. */
const LISTS_MAX = 256;

function readMethod(value: unknown): ProbeMethod {
  return oneOf(value, METHODS);
}

function readReason(value: unknown): Reason {
  return isReason(value) ? value : wrong('no reason');
}

function isReason(value: unknown): value is Reason {
  return typeof value === 'string' && Object.hasOwn(VERDICT_OF_REASON, value);
}

function readCode(value: unknown): CrawlCode {
  if (isReason(value)) return value;
  return oneOf(value, ['path_template', 'name_not_found', 'host_silent', 'needs_input']);
}

function readExpected(value: unknown): Expected {
  const members = membersOf(value);
  return {
    price: optional(members('price'), money),
    payTo: optional(members('pay_to'), text),
    network: optional(members('network'), network),
    source: optional(members('source'), readSource),
  };
}

function readSource(value: unknown): 'request' | 'listing' {
  return oneOf(value, ['request', 'listing']);
}

function readListing(value: unknown): Listing {
  const members = membersOf(value);
  return {
    price: optional(members('price'), money),
    payTo: optional(members('pay_to'), text),
    network: optional(members('network'), network),
    sourceList: text(members('source_list')),
  };
}

function readQuoted(value: unknown): Quoted {
  const members = membersOf(value);
  return {
    network: optional(members('network'), network),
    payTo: token(members('pay_to')),
    price: optional(members('price'), money),
  };
}

function readTerms(value: unknown): Terms {
  const members = membersOf(value);
  return {
    scheme: oneOf(members('scheme'), ['exact']),
    network: network(members('network')),
    asset: token(members('asset')),
    amountAtomic: money(members('amount')),
    payTo: token(members('pay_to')),
    deadline: time(members('deadline')),
    deadlineSource: oneOf(members('deadline_source'), ['validBefore', 'maxTimeoutSeconds', 'default_60s']),
    maxTimeoutSeconds: optional(members('max_timeout_seconds'), whole),
  };
}

/** More than one answer is told. */
const DIAGNOSTICS_MAX = 64;

function readDiagnostics(value: unknown): readonly StatedDiagnostic[] {
  return listOf(value, DIAGNOSTICS_MAX, readDiagnostic);
}

function readDiagnostic(value: unknown): StatedDiagnostic {
  const members = membersOf(value);
  return {
    code: token(members('code')),
    source: oneOf(members('source'), ['answer', 'header', 'body']),
    path: optional(members('path'), text),
  };
}

/** More members than fit in an input that a listing is read for. */
const NAMES_MAX = 8_192;

function readNeedsInput(value: unknown): NeedsInput {
  const members = membersOf(value);
  return {
    method: readMethod(members('method')),
    status: status(members('status')),
    tried: oneOf(members('tried'), ['bare', 'caller', 'listing_example', 'listing_schema']),
    missing: listOf(members('missing'), NAMES_MAX, text),
    example: optional(members('example'), readExample),
  };
}

function readExample(value: unknown): ExampleInput {
  return Object.fromEntries(listOf(value, NAMES_MAX, readPair));
}

function readPair(value: unknown): readonly [string, string | number | boolean] {
  const [name, said] = listOf(value, 2, (part) => part);
  if (typeof said === 'boolean' || typeof said === 'number') return [text(name), said];
  return [text(name), text(said)];
}
