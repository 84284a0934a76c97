import { headerValues } from '../header-values.ts';
import { trimBlanks } from '../trim-blanks.ts';
import type { Expected } from '../verdict/expected-terms.ts';
import { judgeOffers } from '../verdict/judge-offers.ts';
import type { ProbeAnswer } from '../verdict/probe-outcome.ts';
import { readChallenge } from '../x402/challenge.ts';
import { MAINNETS } from '../x402/networks.ts';
import { clientWarnings } from './client-warnings.ts';
import { DIAGNOSTICS, type Diagnostic, type DiagnosticCode } from './diagnostic.ts';
import { disputes } from './disputes.ts';
import type { EntryFault } from './entry-fault.ts';
import { entryFaults } from './entry-faults.ts';
import { bodyDocument, headerDocument, type TermsDocument } from './terms-document.ts';

type Answer = Pick<ProbeAnswer, 'status' | 'headers' | 'body' | 'bodyComplete'>;

const DIAGNOSTICS_MAX = 16;
export const NO_EXPECTATION: Expected = { price: null, payTo: null, network: null, source: null };
const EPOCH = new Date(0);

/**
 * What a seller has to change, errors first. It explains the judge and does not replace it: an answer that is approved without an
 * expectation has no error, one that is a bad challenge has at least one (gap L95). Without a time no terms have expired.
 */
export function diagnose(answer: Answer, seenAt: Date = EPOCH): readonly Diagnostic[] {
  const found = answer.status === 402 ? paywallFaults(answer, seenAt) : termsElsewhere(answer);
  const errors = found.filter(({ code }) => DIAGNOSTICS[code].level === 'error');
  const warnings = found.filter(({ code }) => DIAGNOSTICS[code].level === 'warning');
  // An entry is ignored only beside one that is approved.
  const told = errors.length === 0 ? warnings : warnings.filter(({ code }) => code !== 'entry_ignored');
  return [...errors, ...told].slice(0, DIAGNOSTICS_MAX);
}

function termsElsewhere(answer: Answer): Diagnostic[] {
  const values = headerValues(answer.headers, 'payment-required').map(trimBlanks);
  const inHeader = values.some((value) => value !== '');
  if (!inHeader && readChallenge(answer).kind !== 'readable') return [];
  return [{ code: 'terms_without_402', source: inHeader ? 'header' : 'body', path: null }];
}

function paywallFaults(answer: Answer, seenAt: Date): readonly Diagnostic[] {
  const values = headerValues(answer.headers, 'payment-required').map(trimBlanks);
  const value = values.find((one) => one !== '');
  if (value === undefined) {
    const empty: Diagnostic[] =
      values.length === 0 ? [] : [{ code: 'header_empty', source: 'header', path: null }];
    return [...empty, ...termsFaults([bodyDocument(answer)], answer, seenAt)];
  }
  if (values.length > 1) return [{ code: 'header_repeated', source: 'header', path: null }];
  return termsFaults([headerDocument(value), bodyDocument(answer)], answer, seenAt);
}

/** The first document counts; a second one, the body beside a header, may only speak against it. */
function termsFaults(
  documents: readonly [TermsDocument, ...TermsDocument[]],
  answer: Answer,
  seenAt: Date,
): readonly Diagnostic[] {
  const [counting] = documents;
  return [...disputesIn(documents, answer, seenAt), ...counting.faults, ...faultsOfEntries(counting, seenAt)];
}

function disputesIn(
  documents: readonly TermsDocument[],
  answer: Answer,
  seenAt: Date,
): readonly Diagnostic[] {
  const challenge = readChallenge(answer);
  if (challenge.kind !== 'readable') return [];
  const { verdict, offer } = judgeOffers(challenge, NO_EXPECTATION, seenAt, MAINNETS);
  if (verdict.reason !== 'bad_challenge' || offer === null) return [];
  return disputes({ fault: verdict.fault.kind, approved: offer, documents });
}

// An entry that asks for something else than we approve is no fault beside one that does not.
const OTHER_WAYS_TO_PAY: ReadonlySet<DiagnosticCode> = new Set([
  'scheme_not_exact',
  'test_network',
  'network_unsupported',
  'asset_not_usdc',
  'transfer_method',
]);

/** One good entry is enough (gap G35), so the faults of the others count only if there is none. */
function faultsOfEntries({ source, version, entries }: TermsDocument, seenAt: Date): Diagnostic[] {
  const faults = entries.map((entry) => entryFaults(entry, version, seenAt));
  const oneIsGood = faults.some((its) => its.length === 0);
  const place =
    (index: number) =>
    ({ code, at }: EntryFault): Diagnostic => ({
      code,
      source,
      path: `$.accepts[${index}]${at}`,
    });
  return entries.flatMap((entry, index) => {
    const its = faults[index] ?? [];
    if (!oneIsGood || its.length === 0) return [...its, ...clientWarnings(entry, version)].map(place(index));
    const isMalformed = its.some(({ code }) => !OTHER_WAYS_TO_PAY.has(code));
    return isMalformed ? [place(index)({ code: 'entry_ignored', at: '' })] : [];
  });
}
