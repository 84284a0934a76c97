import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonFormat } from '../../src/cli/lint/json-format.ts';
import { junitFormat } from '../../src/cli/lint/junit-format.ts';
import type { LintResult } from '../../src/cli/lint/lint-result.ts';
import { sarifFormat } from '../../src/cli/lint/sarif-format.ts';
import { textFormat } from '../../src/cli/lint/text-format.ts';
import { createPaint } from '../../src/cli/show/paint.ts';
import { lint } from '../../src/core/lint/lint.ts';
import { answered, base64, ENTRY } from '../../tools/samples/challenge.ts';
import { NOTHING, PROBED_AT } from '../support/judging.ts';
import {
  GOOD,
  LINTED_URL,
  look,
  MANIFEST,
  OPENAPI,
  paywallWith,
  RESOURCE,
  TERMS_V1,
  TERMS_V2,
} from '../support/linting/good-endpoint.ts';
import { readXml } from '../support/linting/read-xml.ts';
import { readSarif } from '../support/linting/sarif-rules.ts';
import { sized } from '../support/sized.ts';

/** What breaks readers that trust a type: objects that are no text, numbers that are none, names of the language. */
const HOSTILE: readonly unknown[] = [
  ...[null, true, '', 0, -1, 1e308, 0.1, [], {}, [[]], 'x'.repeat(5_000), '\u0000\u202e<b>|'],
  ...[{ toString: null }, { toString: 1, valueOf: 2 }, { length: 3, 0: 'a' }, { toJSON: 1 }],
  ...[JSON.parse('{"__proto__":{"a":1},"constructor":{"prototype":null}}')],
];
const anything = fc.oneof(fc.constantFrom(...HOSTILE), fc.jsonValue({ maxDepth: 3 }));

/** The document with one of its values replaced, as far down as the choices lead. */
function spoiled(document: unknown, choices: readonly number[], value: unknown): unknown {
  const [choice, ...rest] = choices;
  if (choice === undefined || typeof document !== 'object' || document === null) return value;
  const keys = Object.keys(document);
  const key = keys[choice % (keys.length + 1)];
  if (key === undefined) return value;
  const inner = spoiled((document as Record<string, unknown>)[key], rest, value);
  return Array.isArray(document)
    ? document.map((item, index) => (String(index) === key ? inner : item))
    : { ...document, [key]: inner };
}

const place = fc.array(fc.nat({ max: 12 }), { minLength: 1, maxLength: 9 });
const asObject = (value: unknown) => (typeof value === 'object' && value !== null ? value : { value });

function resultOf(changes: Parameters<typeof lint>[0]): LintResult {
  const report = lint(changes, { claim: NOTHING, seenAt: PROBED_AT, isLocal: false });
  return { target: LINTED_URL, isFile: false, method: 'GET', requests: 6, report, failOn: 'warning' };
}

describe('terms and documents with anything in them', () => {
  it('are linted, and every format keeps its form', () => {
    fc.assert(
      fc.property(place, place, place, place, anything, (inHeader, inBody, inOpenapi, inManifest, value) => {
        const result = resultOf({
          ...GOOD,
          bare: paywallWith(
            asObject(spoiled(TERMS_V2, inHeader, value)),
            asObject(spoiled(TERMS_V1, inBody, value)),
          ),
          openapi: look(200, [], spoiled(OPENAPI, inOpenapi, value)),
          wellKnown: look(200, [], spoiled(MANIFEST, inManifest, value)),
        });
        expect(JSON.parse(jsonFormat(result)).findings).toHaveLength(result.report.findings.length);
        expect(readSarif(sarifFormat(result)).results).toHaveLength(result.report.findings.length);
        expect(readXml(junitFormat(result)).name).toBe('testsuites');
        expect(textFormat(result, { paint: createPaint(false), columns: 80 })).not.toMatch(/\u202e|<b>/);
      }),
      { numRuns: sized(300, 5_000) },
    );
  });

  it('are linted, however deep they are', () => {
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    for (const member of ['scheme', 'network', 'asset', 'payTo', 'amount', 'maxTimeoutSeconds', 'extra']) {
      const entry = JSON.stringify({ ...ENTRY, [member]: 'HERE' }).replace('"HERE"', deep);
      const terms = `{"x402Version":2,"resource":${JSON.stringify(RESOURCE)},"accepts":[${entry}]}`;
      const headers: [string, string][] = [['payment-required', base64(terms)]];
      const body = new TextEncoder().encode(terms.replace('"amount"', '"maxAmountRequired"'));
      const { report } = resultOf({ ...GOOD, bare: answered({ headers, body }) });
      expect(report.verdict).toMatchObject({ verdict: 'skip', reason: 'bad_challenge' });
    }
  });
});
