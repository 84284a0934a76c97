import { describe, expect, it } from 'vitest';
import { jsonFormat } from '../../src/cli/lint/json-format.ts';
import { junitFormat } from '../../src/cli/lint/junit-format.ts';
import type { FailOn, LintResult } from '../../src/cli/lint/lint-result.ts';
import { sarifFormat } from '../../src/cli/lint/sarif-format.ts';
import { textFormat } from '../../src/cli/lint/text-format.ts';
import { createPaint } from '../../src/cli/show/paint.ts';
import { CHECKS } from '../../src/core/lint/checks.ts';
import { ENTRY, PAYEE } from '../../tools/samples/challenge.ts';
import { LINTED_URL, look, paywallWith, TERMS_V2 } from '../support/linting/good-endpoint.ts';
import { FAULTY, HOSTILE_NAMES, resultOf } from '../support/linting/lint-results.ts';
import { readXml } from '../support/linting/read-xml.ts';
import { readSarif } from '../support/linting/sarif-rules.ts';

describe('JSON', () => {
  it('is the whole report', () => {
    expect(JSON.parse(jsonFormat(resultOf(FAULTY)))).toMatchObject({
      target: LINTED_URL,
      method: 'GET',
      verdict: 'skip',
      reason: 'bad_challenge',
      reason_text: expect.stringMatching(/\.$/),
      errors: 1,
      requests: 6,
      findings: expect.arrayContaining([
        {
          check: 'payee_missing',
          level: 'error',
          problem: 'The payee is missing or empty.',
          fix: expect.any(String),
          path: '$.accepts[0].payTo',
          source: 'header',
        },
      ]),
      payers: expect.arrayContaining([{ payer: 'x402-fetch 1.2', signs: expect.any(Object), refuses: null }]),
      not_made: ['cors_origin', 'cors_expose', 'browser_status', 'redirect'],
    });
  });

  it('says what each payer signs', () => {
    const { payers, findings, passed } = JSON.parse(jsonFormat(resultOf({})));
    expect(payers[0]).toEqual({
      payer: '@x402/fetch 2.27',
      signs: {
        source: 'header',
        entry: 0,
        by: 'transfer',
        network: 'eip155:8453',
        asset: ENTRY.asset,
        pay_to: PAYEE,
        amount_atomic: '10000',
      },
      refuses: null,
    });
    expect([findings, passed.length]).toEqual([[], Object.keys(CHECKS).length]);
  });
});

describe('SARIF', () => {
  it('keeps the rules of version 2.1.0, with a rule for every check', () => {
    const { tool, results, properties } = readSarif(sarifFormat(resultOf(FAULTY)));
    expect(tool.driver.rules.map(({ id }) => id)).toEqual(Object.keys(CHECKS));
    expect(results.map(({ ruleId, level }) => [ruleId, level])).toEqual([
      ['payee_missing', 'error'],
      ['payer_x402_fetch', 'warning'],
      ['payer_x402_axios', 'warning'],
      ['payer_faremeter', 'warning'],
      ['preflight_status', 'warning'],
      ['openapi_missing', 'note'],
    ]);
    expect(results[0]).toMatchObject({
      message: { text: expect.stringMatching(/^The payee is missing or empty\. Set payTo/) },
      locations: [
        {
          physicalLocation: { artifactLocation: { uri: 'seller.example/v1/weather' } },
          logicalLocations: [{ fullyQualifiedName: 'header:$.accepts[0].payTo' }],
        },
      ],
    });
    expect(properties).toMatchObject({
      ...{ target: LINTED_URL, verdict: 'skip', errors: 1, warnings: 4, notes: 1 },
    });
  });

  it('has no results when nothing is found', () => {
    expect(readSarif(sarifFormat(resultOf({}))).results).toEqual([]);
  });
});

describe('JUnit', () => {
  const suiteOf = (result: LintResult) => readXml(junitFormat(result)).children[0];
  const failed = (failOn: FailOn) =>
    suiteOf(resultOf(FAULTY, { failOn }))?.children.flatMap(({ attributes, children }) =>
      children.some(({ name }) => name === 'failure') ? [attributes['name']] : [],
    );

  it('has a case for every check, and those that were not made are skipped', () => {
    const root = readXml(junitFormat(resultOf(FAULTY)));
    const suite = root.children[0];
    const count = Object.keys(CHECKS).length;
    expect([root.name, suite?.name]).toEqual(['testsuites', 'testsuite']);
    expect(suite?.attributes).toEqual({
      name: `GET ${LINTED_URL}`,
      tests: String(count),
      failures: '1',
      errors: '0',
      skipped: '4',
    });
    expect(suite?.children.map(({ attributes }) => attributes['name'])).toEqual(Object.keys(CHECKS));
    const skipped = suite?.children.filter(({ children }) => children[0]?.name === 'skipped');
    expect(skipped?.map(({ attributes }) => attributes['name'])).toEqual([
      'cors_origin',
      'cors_expose',
      'browser_status',
      'redirect',
    ]);
  });

  it.each<[FailOn, number]>([
    ['error', 1],
    ['never', 1],
    ['warning', 5],
  ])('fails the cases that --fail-on %s means', (failOn, count) => {
    expect(failed(failOn)).toHaveLength(count);
    expect(suiteOf(resultOf(FAULTY, { failOn }))?.attributes['failures']).toBe(String(count));
  });

  it('says what is wrong, and what is only worth a note', () => {
    const cases = suiteOf(resultOf(FAULTY))?.children ?? [];
    const of = (name: string) => cases.find(({ attributes }) => attributes['name'] === name)?.children[0];
    expect(of('payee_missing')).toMatchObject({
      name: 'failure',
      attributes: { type: 'error', message: 'The payee is missing or empty.' },
      text: expect.stringMatching(
        /^error: The payee is missing or empty\. .* \(header \$\.accepts\[0\]\.payTo\)$/,
      ),
    });
    expect(of('openapi_missing')).toMatchObject({
      name: 'system-out',
      text: expect.stringMatching(/^note: /),
    });
  });

  it('has one failure for a case with two findings', () => {
    const twice = paywallWith(
      {
        ...TERMS_V2,
        accepts: [
          { ...ENTRY, payTo: '' },
          { ...ENTRY, payTo: '' },
        ],
      },
      null,
    );
    const cases = suiteOf(resultOf({ bare: twice }))?.children ?? [];
    const names = cases.find(({ attributes }) => attributes['name'] === 'payee_missing')?.children;
    expect(names?.map(({ name }) => name)).toEqual(['failure', 'system-out']);
  });

  it.each(HOSTILE_NAMES)('is well-formed around %j', (target) => {
    const shown = target.replace(/[^\P{C}\n\t\u202e\u{1f600}]/gu, '?');
    expect(suiteOf(resultOf(FAULTY, { target }))?.attributes['name']).toBe(`GET ${shown}`);
  });
});

describe('text', () => {
  const shown = (result: LintResult, columns = 80) =>
    textFormat(result, { paint: createPaint(false), columns });

  it('says the verdict, every finding with its fix, and what payers would sign', () => {
    expect(shown(resultOf({ preflight: look(405), head: look(405) }))).toBe(
      [
        '✓ PAY  price_ok',
        'The 402 asks $0.01 in USDC on eip155:8453. No price was given to compare with.',
        '',
        '  target  GET https://seller.example/v1/weather',
        '  sent    6 unpaid requests',
        '',
        'warning  preflight_status  preflight',
        '         OPTIONS is answered with 405, not 2xx: browsers never send the paid',
        '         request.',
        '         Fix: Answer OPTIONS with 204 and the CORS fields.',
        '',
        'What payers would sign, with a wallet on Base and their own defaults:',
        '  @x402/fetch 2.27       header, entry 0: 10000 to 0x2096…12287C',
        '  @x402/axios 2.11       header, entry 0: 10000 to 0x2096…12287C',
        '  x402-fetch 1.2         body, entry 0: 10000 to 0x2096…12287C',
        '  @faremeter/fetch 0.22  header, entry 0: 10000 to 0x2096…12287C',
        '',
        `0 errors, 1 warning, 0 notes; ${Object.keys(CHECKS).length - 1} checks passed`,
        '',
      ].join('\n'),
    );
  });

  it('counts one check in the singular', () => {
    const ended = { browser: null, preflight: null, head: null, openapi: null, wellKnown: null };
    const bare = { kind: 'unreachable', cause: 'connection_failed' } as const;
    const lines = shown(resultOf({ bare, ...ended })).split('\n');
    expect(lines.at(-2)).toBe('1 error, 0 warnings, 0 notes; 1 check passed');
  });

  it('names a file as a file', () => {
    expect(shown(resultOf(FAULTY, { target: 'saved.http', isFile: true, requests: 0 }))).toContain(
      '\n  file    saved.http\n  sent    0 unpaid requests\n',
    );
  });

  it.each(HOSTILE_NAMES)('cannot be steered by %j', (target) => {
    const text = shown(resultOf(FAULTY, { target, isFile: true }));
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
    expect(text.split('\n').every((line) => line.length <= 84)).toBe(true);
  });
});
