import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonical } from '../../../test/support/canonical.ts';
import {
  any,
  checked,
  crawledOf,
  FAILURES,
  receiptOf,
  unclaimed,
} from '../../../test/support/random-checks.ts';
import { sized } from '../../../test/support/sized.ts';
import { answered, ENTRY, paywall, THIEF } from '../../../tools/samples/challenge.ts';
import { listed } from '../../../tools/samples/listed.ts';
import { NOON, SALT } from '../../../tools/samples/store-receipts.ts';
import { crawlReceipt } from '../receipt/crawl-receipt.ts';
import type { ProbeOutcome } from '../verdict/probe-outcome.ts';
import { judgeAgain } from './judge-again.ts';
import { readStatement } from './read-statement.ts';
import { statementOfCrawl } from './stated-crawl.ts';
import { statementOfLive } from './stated-live.ts';

function again(text: string | null) {
  const statement = readStatement(text ?? '');
  if (statement === null) throw new Error('the statement should be readable');
  return judgeAgain(statement);
}

const live = (outcome: ProbeOutcome) => statementOfLive(receiptOf(...unclaimed(outcome)));
const crawl = (outcome: ProbeOutcome) => statementOfCrawl(crawledOf(unclaimed(outcome)[0], true));

/** The members that differ after a change of the parsed statement. */
function forged(text: string | null, changes: object): unknown {
  const found = again(canonical({ ...JSON.parse(text ?? ''), ...changes }));
  return typeof found === 'string' ? found : found.map(({ member }) => member);
}

describe('a statement judged again', () => {
  it('agrees, whatever was seen', () => {
    fc.assert(
      fc.property(checked, fc.boolean(), any<'live' | 'dry-run'>('live', 'dry-run'), (check, flag, mode) => {
        expect(again(statementOfLive(receiptOf(check, flag, mode)))).toEqual([]);
        expect(again(statementOfCrawl(crawledOf(check, flag)))).toEqual([]);
      }),
      { numRuns: sized(500, 5_000), examples: FAILURES.map((probed) => unclaimed(probed)) },
    );
  });

  it('names the member and both values where it disagrees', () => {
    const text = (live(paywall([{ ...ENTRY, amount: '0' }])) ?? '').replace('"skip"', '"pay"');
    expect(again(text)).toEqual([{ member: 'verdict', stated: 'pay', judged: 'skip' }]);
  });

  it.each<[string, string | null, object, unknown]>([
    ['another verdict', live(paywall([ENTRY])), { verdict: 'skip' }, ['verdict']],
    ['another reason', live(paywall([ENTRY])), { reason: 'timeout' }, ['reason']],
    ['other words', live(paywall([ENTRY])), { reason_text: 'Pay.' }, ['reason_text']],
    [
      'no approval',
      live(paywall([ENTRY])),
      { approved: undefined },
      expect.arrayContaining(['approved.pay_to']),
    ],
    [
      'a dry run that approves',
      live(paywall([ENTRY])),
      { mode: 'dry-run' },
      expect.arrayContaining(['approved.sha256']),
    ],
    ['a hint without a cause', live(paywall([ENTRY])), { other_method: 'POST' }, ['other_method']],
    ['a hint left out', live(answered({ status: 400 })), { needs_input: undefined }, ['needs_input']],
    ['other rules', live(paywall([ENTRY])), { rules: '3' }, ['rules']],
    ['another code', crawl(paywall([ENTRY])), { code: 'timeout' }, ['code']],
    ['other fixed words', crawl(paywall([ENTRY])), { reason: 'matches' }, ['reason']],
    [
      'another payee',
      crawl(paywall([ENTRY])),
      { quoted: { pay_to: THIEF } },
      expect.arrayContaining(['quoted.pay_to', 'quoted.price']),
    ],
    ['no offer', crawl(paywall([ENTRY])), { quoted: undefined }, expect.arrayContaining(['quoted.pay_to'])],
    ['nothing seen', crawl(paywall([ENTRY])), { seen: undefined, probe: undefined }, ['code']],
  ])('disagrees with %s', (_, text, changes, members) => {
    expect(again(text)).toEqual([]);
    expect(forged(text, changes)).toEqual(members);
  });

  it.each<[string, string, object]>([
    ['terms beside another status', 'live', { seen: { ...seenOf(paywall([ENTRY])), status: 200 } }],
    ['another form', 'live', { assay: 'receipt/2' }],
    ['a salt of another length', 'live', { salt: 'AAAA' }],
    ['a time that is none', 'live', { checked_at: '2026-13-15T12:00:00.000Z' }],
    ['a time far away', 'live', { checked_at: '+012026-11-15T12:00:00.000Z' }],
    ['a crawl probed at another time', 'crawl', { probe: { at: '2026-11-15T12:00:00.001Z' } }],
  ])('is not read with %s', (_, kind, changes) => {
    const text = kind === 'live' ? live(paywall([ENTRY])) : crawl(paywall([ENTRY]));
    expect(readStatement(canonical({ ...JSON.parse(text ?? ''), ...changes }))).toBeNull();
  });
});

function seenOf(outcome: ProbeOutcome): object {
  return JSON.parse(live(outcome) ?? '').seen;
}

describe('a crawl receipt without a request', () => {
  const unseen = (url: string, kind: 'path_template' | 'host_silent') =>
    statementOfCrawl(
      crawlReceipt({
        id: '0001020304',
        listed: listed(url),
        finding: { kind },
        offer: null,
        observation: null,
        checkedAt: NOON,
        question: { run: 'run', salt: SALT, listedMethod: null, takesPath: false },
      }),
    );

  it.each<[string, string | null, unknown]>([
    ['a template', unseen('https://a.example/x/{id}?q=1', 'path_template'), []],
    ['a template with a colon', unseen('https://a.example/:id', 'path_template'), []],
    [
      'a URL that is no template',
      unseen('https://a.example/x?q={id}', 'path_template'),
      [{ member: 'code', stated: 'path_template', judged: null }],
    ],
    ['a silent host, which nobody can check', unseen('https://a.example/x', 'host_silent'), 'not_checkable'],
  ])('%s', (_, text, expected) => {
    expect(again(text)).toEqual(expected);
  });

  it('is not checkable where the URL is redacted', () => {
    const text = (unseen('https://a.example/x/:id', 'path_template') ?? '').replace(':id', 'REDACTED');
    expect(again(text)).toBe('not_checkable');
  });

  it('disagrees with another verdict', () => {
    expect(forged(unseen('https://a.example/x', 'host_silent'), { verdict: 'pay' })).toEqual(['verdict']);
    expect(forged(unseen('https://a.example/:id', 'path_template'), { quoted: { pay_to: THIEF } })).toEqual([
      'quoted.pay_to',
    ]);
  });
});
