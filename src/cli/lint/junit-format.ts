import { CHECKS } from '../../core/lint/checks.ts';
import type { Finding } from '../../core/lint/finding.ts';
import { isFailing, type LintResult } from './lint-result.ts';

/** JUnit XML: one case for each check. What does not fail the command is text beside its case. */
export function junitFormat(result: LintResult): string {
  const { made } = result.report;
  const ids = Object.keys(CHECKS);
  const failures = ids.filter((id) => failingOf(id, result).length > 0).length;
  const counts = `tests="${ids.length}" failures="${failures}" errors="0" skipped="${ids.length - made.size}"`;
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="assay lint" ${counts}>`,
    `  <testsuite name="${escaped(`${result.method} ${result.target}`)}" ${counts}>`,
    ...ids.map((id) => testCase(id, result)),
    '  </testsuite>',
    '</testsuites>',
  ];
  return `${lines.join('\n')}\n`;
}

function ofCheck(id: string, { report }: LintResult): readonly Finding[] {
  return report.findings.filter(({ check }) => check === id);
}

/** An error fails its case, whatever the command exits with. */
function failingOf(id: string, result: LintResult): readonly Finding[] {
  const failOn = result.failOn === 'never' ? 'error' : result.failOn;
  return ofCheck(id, result).filter(({ level }) => isFailing(level, failOn));
}

function testCase(id: string, result: LintResult): string {
  const opening = `    <testcase classname="assay.lint" name="${escaped(id)}"`;
  if (!result.report.made.has(id)) return `${opening}><skipped/></testcase>`;
  const failing = failingOf(id, result);
  const others = ofCheck(id, result).filter((finding) => !failing.includes(finding));
  const failures = failing.map(
    (finding) =>
      `<failure type="${finding.level}" message="${escaped(finding.problem)}">${escaped(textOf(finding))}</failure>`,
  );
  // The form has one failure for a case.
  const [first = ''] = failures;
  const rest = [...failing.slice(1), ...others].map(textOf);
  const beside = rest.length === 0 ? '' : `<system-out>${escaped(rest.join('\n'))}</system-out>`;
  return first === '' && beside === '' ? `${opening}/>` : `${opening}>${first}${beside}</testcase>`;
}

function textOf({ level, problem, fix, path, source }: Finding): string {
  return `${level}: ${problem} ${fix} (${path === null ? source : `${source} ${path}`})`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};
// What XML 1.0 cannot carry at all, in any spelling; half of a surrogate pair is one of them.
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the point.
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff\p{Cs}]/gu;

function escaped(text: string): string {
  return text.replace(NOT_XML, '?').replace(/[&<>"']/g, (letter) => ENTITIES[letter] ?? letter);
}
