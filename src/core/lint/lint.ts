import { diagnose } from '../diagnose/diagnose.ts';
import { DIAGNOSTICS } from '../diagnose/diagnostic.ts';
import { parseTargetUrl } from '../url/target-url.ts';
import { type Claim, expectedTerms } from '../verdict/expected-terms.ts';
import { judge } from '../verdict/judge.ts';
import type { Judgement } from '../verdict/judge-offers.ts';
import type { ProbeAnswer, ProbeOutcome } from '../verdict/probe-outcome.ts';
import { readOutcome } from '../verdict/reading.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { isJsonObject, member } from '../x402/read-json.ts';
import { bazaarFindings } from './bazaar-findings.ts';
import type { Need } from './check.ts';
import { CHECKS, found } from './checks.ts';
import { CLIENT_CHECKS, type ClientReadings, clientFindings, clientNames } from './client-findings.ts';
import type { ClientReading } from './clients/client-reading.ts';
import { readByClients } from './clients/read-by-clients.ts';
import { type Documents, documentsOf } from './documents.ts';
import type { Finding } from './finding.ts';
import { browserFindings, cacheFindings, headFindings, preflightFindings } from './http-findings.ts';
import { inputFindings } from './input-findings.ts';
import { manifestFindings } from './manifest-findings.ts';
import { openapiFindings } from './openapi-findings.ts';
import type { Seen } from './seen.ts';
import { verdictFindings, verdictWords } from './verdict-findings.ts';

export interface Report {
  readonly verdict: Verdict;
  readonly words: string;
  /** Errors first. */
  readonly findings: readonly Finding[];
  /** Null without a 402. */
  readonly clients: ClientReadings | null;
  /** The checks that could be made; the others say nothing. */
  readonly made: ReadonlySet<string>;
}

export interface LintOptions {
  readonly claim: Claim;
  readonly seenAt: Date;
  /** A local target has no certificate, and another address than the public one. */
  readonly isLocal: boolean;
}

/** Everything that a prober and a payer would see, with what to do about it. */
export function lint(seen: Seen, options: LintOptions): Report {
  const outcome = countingOutcome(seen);
  const judgement = judge(readOutcome(outcome), expectedTerms(options.claim, null), options.seenAt);
  const paywall = outcome.kind === 'answered' && outcome.status === 402 ? outcome : null;
  const clients = paywall === null ? null : readingsOf(paywall, seen);
  const findings = [
    ...answerFindings(outcome, judgement, options.seenAt),
    ...inputFindings(seen),
    ...(paywall === null ? [] : termsFindings(seen, paywall, options)),
    ...(clients === null ? [] : clientFindings(clients)),
    ...surroundings(seen, paywall, judgement, options),
  ];
  return {
    verdict: judgement.verdict,
    words: verdictWords(judgement.verdict),
    findings: [...ofLevel(findings, 'error'), ...ofLevel(findings, 'warning'), ...ofLevel(findings, 'note')],
    clients,
    made: madeOf(seen, outcome, { clients, findings }),
  };
}

/** The answer to the input counts where it is a 402 and the bare request had none. */
export function countingOutcome({ bare, withInput }: Pick<Seen, 'bare' | 'withInput'>): ProbeOutcome {
  return withInput !== null && isPaywall(withInput) && !isPaywall(bare) ? withInput : bare;
}

function isPaywall(outcome: ProbeOutcome): boolean {
  return outcome.kind === 'answered' && outcome.status === 402;
}

function answerFindings(outcome: ProbeOutcome, { verdict }: Judgement, seenAt: Date): Finding[] {
  const diagnostics = outcome.kind === 'answered' ? diagnose(outcome, seenAt) : [];
  const explained = diagnostics.map(({ code, source, path }): Finding => {
    const { level, problem, fix } = DIAGNOSTICS[code];
    return { check: code, level, problem, fix, path, source };
  });
  return [...verdictFindings(verdict, explained), ...explained];
}

/** A document alone is one half of an answer: nobody knows what a payer finds in the other. */
function readingsOf(paywall: ProbeAnswer, { hasHeaders }: Seen): ClientReadings {
  const readings = readByClients(paywall);
  const isSeen = (reading: ClientReading) =>
    hasHeaders || reading.kind === 'signs' || reading.why !== 'no_terms';
  const names = clientNames().filter((name) => isSeen(readings[name]));
  return new Map(names.map((name) => [name, readings[name]]));
}

function termsFindings(seen: Seen, paywall: ProbeAnswer, { isLocal }: LintOptions): Finding[] {
  const documents = documentsOf(paywall);
  const { header, body } = documents;
  return [
    ...(seen.hasHeaders && header === null && body !== null ? [found('no_version_2', 'header')] : []),
    ...(seen.hasHeaders && header !== null && (body === null || member(body, 'x402Version') !== 1)
      ? [found('no_version_1', 'body')]
      : []),
    ...(header === null ? [] : bazaarFindings(header, seen.method)),
    ...resourceFindings(seen, documents, isLocal),
  ];
}

/** The URL that the terms name, against the one that was requested; the query is the call, not the resource. */
function resourceFindings({ target }: Seen, { header, body }: Documents, isLocal: boolean): Finding[] {
  if (target === null) return [];
  const resource = header === null ? undefined : member(header, 'resource');
  const accepts = body === null ? undefined : member(body, 'accepts');
  const first: unknown = Array.isArray(accepts) ? accepts[0] : undefined;
  const inHeader = isJsonObject(resource) ? member(resource, 'url') : undefined;
  const inBody = isJsonObject(first) ? member(first, 'resource') : undefined;
  const differs = (url: unknown) =>
    typeof url === 'string' && placeOf(url, isLocal) !== placeOf(target.href, isLocal);
  return [
    ...(differs(inHeader) ? [found('resource_differs', 'header', { path: '$.resource.url' })] : []),
    ...(differs(inBody) ? [found('resource_differs', 'body', { path: '$.accepts[0].resource' })] : []),
  ];
}

/** A server that is tested locally names its public address, so that only the path is compared. */
function placeOf(url: string, isLocal: boolean): string | null {
  const reading = parseTargetUrl(url);
  if (reading.kind === 'invalid') return null;
  const { origin, pathname } = new URL(reading.target.href);
  return isLocal ? pathname : origin + pathname;
}

function surroundings(
  { target, method, hasHeaders, browser, preflight, head, openapi, wellKnown }: Seen,
  paywall: ProbeAnswer | null,
  { offer }: Judgement,
  { isLocal, seenAt }: LintOptions,
): Finding[] {
  return [
    ...(paywall === null || !hasHeaders ? [] : cacheFindings(paywall.headers, seenAt)),
    ...(target?.scheme === 'http' && !isLocal ? [found('plain_http', 'answer')] : []),
    ...(browser === null ? [] : browserFindings(browser)),
    ...(preflight === null ? [] : preflightFindings(preflight, method)),
    ...(head === null ? [] : headFindings(head)),
    ...(target === null || openapi === null ? [] : openapiFindings(openapi, { target, method, offer })),
    ...(target === null || wellKnown === null ? [] : manifestFindings(wellKnown, target, isLocal)),
  ];
}

function ofLevel(findings: readonly Finding[], level: Finding['level']): Finding[] {
  return findings.filter((finding) => finding.level === level);
}

/** What was found was looked for; of the rest, what could have been found. */
function madeOf(
  seen: Seen,
  outcome: ProbeOutcome,
  { clients, findings }: { clients: ClientReadings | null; findings: readonly Finding[] },
): ReadonlySet<string> {
  const { target, hasHeaders, browser, preflight, head, openapi, wellKnown } = seen;
  const documents = outcome.kind === 'answered' && clients !== null ? documentsOf(outcome) : null;
  const hasTerms = documents !== null && (documents.header ?? documents.body) !== null;
  const has: Readonly<Record<Need, boolean>> = {
    outcome: true,
    answer: outcome.kind === 'answered',
    paywall: clients !== null,
    terms: hasTerms,
    headers: clients !== null && hasHeaders,
    url: target !== null,
    resource: target !== null && hasTerms,
    looks: [browser, preflight, head, openapi, wellKnown].some((look) => look !== null),
    browser: browser !== null,
    preflight: preflight !== null,
    head: head !== null,
    openapi: openapi !== null,
    well_known: wellKnown !== null,
  };
  const made = new Set(Object.keys(CHECKS).filter((id) => has[CHECKS[id]?.needs ?? 'outcome']));
  for (const name of clientNames()) if (clients?.has(name) === false) made.delete(CLIENT_CHECKS[name]);
  return new Set([...made, ...findings.map(({ check }) => check)]);
}
