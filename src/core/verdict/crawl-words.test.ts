import { expect, it } from 'vitest';
import { VERDICTS, type VerdictName } from '../../../test/support/verdicts.ts';
import { PAYEE, THIEF } from '../../../tools/samples/challenge.ts';
import { crawlVerdict } from './crawl-words.ts';
import { isSetAside } from './skip-codes.ts';

const NINE =
  'eip155:1000, eip155:1001, eip155:1002, eip155:1003, eip155:1004, eip155:1005, eip155:1006, eip155:1007, eip155:1008';

/** The exact shapes of a crawl receipt's reason. */
const REASONS: Record<VerdictName, string> = {
  pay: 'matches listing',
  payUncompared: 'no listed price to compare',
  dearer: 'price mismatch: listed $0.01, 402 asks $0.05',
  cheaper: 'price mismatch: listed $6, 402 asks $0.05',
  otherNetwork: 'network mismatch: listed eip155:8453, 402 offers [eip155:137, unknown]',
  otherNetworks: `network mismatch: listed eip155:8453, 402 offers [${NINE}]`,
  otherPayee: `pay_to mismatch: listed ${PAYEE}, 402 pays ${THIEF}`,
  wordyPayee: `pay_to mismatch: listed ${PAYEE}, 402 pays unknown`,
  otherToken: 'asset not canonical USDC (eip155:8453)',
  testnet: 'network not a supported mainnet (eip155:84532)',
  namelessNetwork: 'network not a supported mainnet (unknown)',
  noPaywall: 'no 402 challenge (HTTP 200)',
  empty402: 'no 402 challenge (HTTP 402)',
  redirect: 'no 402 challenge (HTTP 308)',
  unreadable: 'bad challenge (HTTP 402)',
  headersTooLarge: 'bad challenge (HTTP 402)',
  notExact: 'bad challenge (HTTP 402)',
  expired: 'bad challenge (HTTP 402)',
  burningPayee: 'bad challenge (HTTP 402)',
  spelledTwice: 'bad challenge (HTTP 402)',
  twoDemands: 'bad challenge (HTTP 402)',
  tooLong: 'bad challenge (HTTP 402)',
  otherMethod: 'bad challenge (HTTP 402)',
  tooManyEntries: 'bad challenge (HTTP 402)',
  entryToOther: 'bad challenge (HTTP 402)',
  oddEntry: 'bad challenge (HTTP 402)',
  dearerEntry: 'bad challenge (HTTP 402)',
  unreadEntry: 'bad challenge (HTTP 402)',
  absurdPrice: 'price not sane ($1000)',
  blocked: 'blocked address',
  trial: 'free trial active',
  countedTrial: 'free trial active',
  timeout: 'timeout after 5 s',
  serverError: 'server error (HTTP 503)',
  noSuchName: 'dns lookup failed (host does not resolve)',
  lookupFailed: 'unreachable',
  noConnection: 'unreachable',
  badCertificate: 'unreachable',
  notHttp: 'unreachable',
  termsDiffer: 'different terms to different visitors',
  unconfirmed: 'not confirmed from another point of view',
};

it.each(Object.entries(VERDICTS))('%s in the words of the crawl (G92)', (name, verdict) => {
  const dead = name === 'noSuchName'; // Live it may come back, but a list should drop it (G75).
  expect(crawlVerdict({ kind: 'judged', verdict })).toEqual({
    verdict: dead ? 'skip' : verdict.verdict,
    code: dead ? 'name_not_found' : verdict.reason,
    reason: new Map(Object.entries(REASONS)).get(name),
  });
});

it('a URL that was not requested says so and decides nothing (L22)', () => {
  expect(crawlVerdict({ kind: 'host_silent' })).toEqual({
    verdict: 'recheck',
    code: 'host_silent',
    reason: 'not requested: host left 30 requests in a row unanswered',
  });
});

it('a listed path template is a skip of its own (G75)', () => {
  expect(crawlVerdict({ kind: 'path_template' })).toEqual({
    verdict: 'skip',
    code: 'path_template',
    reason: 'listing url is a path template, not a callable endpoint',
  });
});

it('an endpoint that wants input first has a code of its own, and the usual words (G100)', () => {
  const verdict = {
    verdict: 'skip',
    reason: 'no_paywall',
    status: 422,
    hint: { kind: 'needs_input' },
  } as const;
  expect(crawlVerdict({ kind: 'judged', verdict })).toEqual({
    verdict: 'skip',
    code: 'needs_input',
    reason: 'no 402 challenge (HTTP 422)',
  });
  expect([isSetAside('needs_input'), isSetAside('no_paywall')]).toEqual([true, false]);
});
