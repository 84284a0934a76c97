import { CHECKS } from '../../core/lint/checks.ts';
import { CLIENTS, type ClientName, type ClientReading } from '../../core/lint/clients/client-reading.ts';
import { countsOf, type LintResult } from './lint-result.ts';

/** The whole report for programs. */
export function jsonFormat(result: LintResult): string {
  const { target, method, requests, report } = result;
  const { verdict, words, findings, clients, made } = report;
  const failed = new Set(findings.map(({ check }) => check));
  const document = {
    target,
    method,
    verdict: verdict.verdict,
    reason: verdict.reason,
    reason_text: words,
    ...countsOf(result),
    requests,
    findings,
    payers: [...(clients ?? [])].map(([name, reading]) => payerJson(name, reading)),
    passed: [...made].filter((check) => !failed.has(check)),
    not_made: Object.keys(CHECKS).filter((check) => !made.has(check)),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function payerJson(name: ClientName, reading: ClientReading) {
  const payer = CLIENTS[name];
  if (reading.kind === 'refuses') return { payer, signs: null, refuses: reading.why };
  const { source, entry, by, pays } = reading;
  const { network, asset, payTo: pay_to, amountAtomic } = pays;
  const signs = { source, entry, by, network, asset, pay_to, amount_atomic: amountAtomic.toString() };
  return { payer, signs, refuses: null };
}
