import { basename, relative, resolve } from 'node:path';
import { CHECKS } from '../../core/lint/checks.ts';
import type { Finding } from '../../core/lint/finding.ts';
import { countsOf, type LintResult } from './lint-result.ts';

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

/** SARIF 2.1.0, as code scanners read it. Every check is a rule; its index is its position in the table. */
export function sarifFormat(result: LintResult): string {
  const { verdict, words, findings } = result.report;
  const ids = Object.keys(CHECKS);
  const rules = Object.entries(CHECKS).map(([id, { level, problem, fix }]) => ({
    id,
    shortDescription: { text: problem },
    help: { text: fix },
    defaultConfiguration: { level },
  }));
  const run = {
    tool: { driver: { name: 'assay lint', rules } },
    invocations: [{ executionSuccessful: true }],
    results: findings.map((finding) => ({
      ...resultOf(finding, result),
      ruleIndex: ids.indexOf(finding.check),
    })),
    properties: {
      verdict: verdict.verdict,
      reason: verdict.reason,
      reason_text: words,
      target: result.target,
      method: result.method,
      ...countsOf(result),
    },
  };
  return `${JSON.stringify({ $schema: SCHEMA, version: '2.1.0', runs: [run] }, null, 2)}\n`;
}

function resultOf({ check, level, problem, fix, path, source }: Finding, { target, isFile }: LintResult) {
  return {
    ruleId: check,
    level,
    message: { text: `${problem} ${fix}` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: isFile ? fileUri(target) : urlUri(target) },
          // Viewers want a line; terms are encoded, so there is none to point at.
          region: { startLine: 1 },
        },
        logicalLocations: [{ fullyQualifiedName: path === null ? source : `${source}:${path}` }],
      },
    ],
  };
}

/**
 * Code scanning refuses a scheme, and an absolute path tells about the machine: a file is named from the working directory, one
 * outside of it by its base name. Each part is escaped, so that no name is taken for a scheme, a query or a fragment.
 */
function fileUri(name: string): string {
  const inside = relative('', resolve(name));
  const shown = /^\.\.(?:\/|$)/.test(inside) ? basename(inside) : inside;
  return shown
    .split('/')
    .map((part) => encodeURIComponent(part.replace(/\p{Cs}/gu, '\ufffd')))
    .join('/');
}

/** Host and path as if they were a file. What is escaped in a URL stays so; the whole URL is a property of the run. */
function urlUri(target: string): string {
  const { hostname, pathname } = new URL(target);
  return (hostname + pathname).replace(/%(?![0-9A-Fa-f]{2})|[^\w\-.~!$&'()*+,;=@%/]/gu, encodeURIComponent);
}
