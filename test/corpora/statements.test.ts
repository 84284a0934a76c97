import { readdirSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { bundleRules } from '../../scripts/bundle-rules.ts';
import { judgeAgain } from '../../src/core/statement/judge-again.ts';
import { readStatement } from '../../src/core/statement/read-statement.ts';
import { statementOfCrawl } from '../../src/core/statement/stated-crawl.ts';
import { statementOfLive } from '../../src/core/statement/stated-live.ts';
import type { Views } from '../../src/core/vantage/view.ts';
import type { Claim } from '../../src/core/verdict/expected-terms.ts';
import type { ProbeOutcome } from '../../src/core/verdict/probe-outcome.ts';
import { RULES_VERSION } from '../../src/core/verdict/verdict.ts';
import { answered, ENTRY, PAYEE, paywall, THIEF } from '../../tools/samples/challenge.ts';
import { NOON } from '../../tools/samples/store-receipts.ts';
import { canonical } from '../support/canonical.ts';
import { crawledOf, FAILURES, receiptOf } from '../support/random-checks.ts';
import { viewOf } from '../support/vantage/views.ts';
import { answerOf, type ChallengeCase, challengeCorpus, expectedOf } from './challenge-corpus.ts';

/** Of the scripted transports, an endless body reaches the parser; the others end as one of the failures. */
const CASES = challengeCorpus().filter(
  ({ behavior }) => behavior === undefined || behavior.kind === 'big_body',
);

function answeredBy(entry: ChallengeCase): ProbeOutcome {
  const { headers, body } = answerOf(entry);
  return {
    kind: 'answered',
    status: entry.status,
    headers,
    body: new TextEncoder().encode(body),
    bodyComplete: entry.behavior === undefined,
  };
}

const NOTHING = { price: null, payTo: null, network: null };

/** By the name of the case: the answers of the corpus, and every way to get none. */
const CHECKS = [
  ...CASES.map((entry) => [entry.id, answeredBy(entry), expectedOf(entry)] as const),
  ...FAILURES.map((outcome) => [JSON.stringify(outcome), outcome, NOTHING] as const),
].map(([name, outcome, claim]) => checkOf(name, outcome, claim, null));

function checkOf(name: string, outcome: ProbeOutcome, claim: Claim, views: Views | null) {
  const request = { price: claim.price, payTo: claim.payTo, network: claim.network };
  const check = { outcome, request, listing: null, ref: null, task: null, checkedAt: NOON, views };
  return [name, check] as const;
}

const HONEST = paywall([ENTRY]);
const THEFT = paywall([{ ...ENTRY, payTo: THIEF }]);
const AWAY: ProbeOutcome = { kind: 'timed_out' };
/** What we saw, what others saw, and how many had to agree. */
const VIEWED: readonly [string, ProbeOutcome, readonly ProbeOutcome[], number][] = [
  ['both agree', HONEST, [HONEST, HONEST], 2],
  ['one of two is away', HONEST, [HONEST, AWAY], 2],
  ['nobody answered', HONEST, [], 1],
  ['a thief for others', HONEST, [HONEST, THEFT], 1],
  ['a thief for us', THEFT, [HONEST], 1],
  ['nothing for us', answered({ status: 403 }), [HONEST, HONEST], 2],
  ['nothing for anybody', answered({ status: 200 }), [answered({ status: 200 })], 1],
];
const SEEN_BY_OTHERS = VIEWED.map(([name, own, others, needed]) =>
  checkOf(
    `views: ${name}`.replaceAll(' ', '_'),
    own,
    { ...NOTHING, payTo: PAYEE },
    { needed, views: others.map((outcome, n) => viewOf(outcome, undefined, n)) },
  ),
);
const ALL_CHECKS = [...CHECKS, ...SEEN_BY_OTHERS];

const FORMS = {
  live: ([, check]: (typeof CHECKS)[number]) => statementOfLive(receiptOf(check, true, 'live')) ?? '',
  'dry-run': ([, check]: (typeof CHECKS)[number]) =>
    statementOfLive(receiptOf(check, false, 'dry-run')) ?? '',
  crawl: ([, check]: (typeof CHECKS)[number]) => statementOfCrawl(crawledOf(check, true)) ?? '',
} as const;

describe.each(Object.entries(FORMS))('the statements of the corpus, %s', (form, write) => {
  const statements = ALL_CHECKS.map((check) => [check[0], write(check)] as const);

  it('are canonical, and judged again with the same verdict, words and terms', () => {
    const wrong = statements.flatMap(([name, text]) => {
      const statement = readStatement(text);
      const isCanonical = canonical(JSON.parse(text)) === text;
      const again = statement === null ? 'unreadable' : judgeAgain(statement);
      return isCanonical && again.length === 0 ? [] : [[name, isCanonical, again]];
    });
    expect(wrong).toEqual([]);
    expect(statements).toHaveLength(CASES.length + FAILURES.length + VIEWED.length);
  });

  it('hold text of strangers only as short tokens', () => {
    for (const [name, text] of statements) {
      expect(text, name).toMatch(/^[\x20-\x7e]+$/);
      for (const word of stringsIn(JSON.parse(text).seen)) expect(word, name).toMatch(/^[\x21-\x7e]{1,128}$/);
    }
    for (const { id, must_escape } of CASES) {
      const text = statements.find(([name]) => name === id)?.[1];
      for (const hostile of must_escape) expect(text, id).not.toContain(hostile);
    }
  });

  it('disagree when they are forged', () => {
    const missed = statements.flatMap(([name, text]) =>
      forgeries(JSON.parse(text), form).flatMap(([what, changed]) => {
        const statement = readStatement(canonical(changed));
        const again = statement === null ? 'unreadable' : judgeAgain(statement);
        return again.length === 0 ? [`${name}: ${what}`] : [];
      }),
    );
    expect(missed).toEqual([]);
  });
});

function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

/** Each changes what a reader would act on. */
function forgeries(statement: Record<string, unknown>, form: string): [string, unknown][] {
  const { verdict, reason, approved, quoted } = statement;
  const nested = (member: string, value: unknown, changes: object): [string, unknown][] =>
    typeof value === 'object' && value !== null
      ? [[`${member} ${Object.keys(changes)}`, { ...statement, [member]: { ...value, ...changes } }]]
      : [];
  const common: [string, unknown][] = [
    ['verdict', { ...statement, verdict: verdict === 'pay' ? 'skip' : 'pay' }],
    ['reason', { ...statement, reason: form === 'crawl' ? 'fine' : differing(reason) }],
  ];
  if (form === 'crawl') {
    const payee = { pay_to: `${THIEF}x` };
    return [
      ...common,
      ...nested('quoted', quoted, payee),
      ...nested('quoted', quoted, { price: '123456789' }),
    ];
  }
  return [
    ...common,
    ['words', { ...statement, reason_text: 'Pay it.' }],
    ['approved', { ...statement, approved: approved === undefined ? APPROVED : undefined }],
    ...nested('approved', approved, { pay_to: THIEF }),
    ...nested('approved', approved, { amount: '1' }),
    ...nested('approved', approved, { deadline: '2030-01-01T00:00:00.000Z' }),
    ...nested('approved', approved, { sha256: '00'.repeat(32) }),
  ];
}

function differing(reason: unknown): string {
  return reason === 'timeout' ? 'price_ok' : 'timeout';
}

const APPROVED = {
  amount: '1',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  deadline: '2026-11-15T12:01:00.000Z',
  deadline_source: 'default_60s',
  max_timeout_seconds: 60,
  network: 'eip155:8453',
  pay_to: THIEF,
  scheme: 'exact',
  sha256: '00'.repeat(32),
};

interface RulesFile {
  readonly version: string;
  judgeAgain(statement: string): unknown;
}

describe('the rules as a file', () => {
  it('is the judge of this release', async () => {
    const frozen = readFileSync(`rules/${RULES_VERSION}.mjs`, 'utf8');
    const hint =
      'The rules changed. Raise RULES_VERSION and run `npm run build:rules`, or take back what changed the rules; a published rules file stays as it is.';
    expect((await bundleRules()) === frozen, hint).toBe(true);
    expect(frozen.match(/^import .*$/gm)).toEqual(['import { hash } from "node:crypto";']);
  });

  it('is recorded with what it says of the corpus', async () => {
    const lines = ALL_CHECKS.map((check) => [check[0], recorded(check)] as const)
      .filter(([, statement]) => statement.length <= RECORDED_MAX_CHARS)
      .map(([name, statement]) => `${name} ${statement}\n`);
    await expect(lines.join('')).toMatchFileSnapshot(`rules-${RULES_VERSION}.txt`);
  });

  const versions = readdirSync('rules').map((file) => file.replace(/\.mjs$/, ''));

  it.each(versions)('version %s judges the corpus as recorded', async (version) => {
    const rules: RulesFile = await import(/* @vite-ignore */ pathToFileURL(`rules/${version}.mjs`).href);
    const lines = readFileSync(`test/corpora/rules-${version}.txt`, 'utf8').trimEnd().split('\n');
    expect(rules.version).toBe(version);
    expect(lines.length).toBeGreaterThan(150);
    for (const line of lines) {
      const statement = line.slice(line.indexOf(' ') + 1);
      expect(rules.judgeAgain(statement), line).toEqual([]);
      const forged = statement.replace(/"verdict":"\w+"/, (word) =>
        word === '"verdict":"pay"' ? '"verdict":"skip"' : '"verdict":"pay"',
      );
      expect(rules.judgeAgain(forged), line).toMatchObject([{ member: 'verdict' }]);
    }
    expect(rules.judgeAgain('{}')).toBe('unreadable');
  });
});

/** Without the diagnostics, which are not judged. */
function recorded([, check]: (typeof CHECKS)[number]): string {
  const text = statementOfLive(receiptOf(check, false, 'live')) ?? '';
  return canonical({ ...JSON.parse(text), diagnostics: undefined });
}

/** Challenges of 64 entries say no more about the rules than those of two. */
const RECORDED_MAX_CHARS = 3_000;
