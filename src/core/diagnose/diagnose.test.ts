import { describe, expect, it } from 'vitest';
import {
  DOCUMENT_CASES,
  ENTRY_CASES,
  entry,
  v1,
  v2,
} from '../../../test/support/diagnosing/diagnosed-answers.ts';
import { bytes, DAI, PROBED_AT } from '../../../test/support/judging.ts';
import { answered, ENTRY } from '../../../tools/samples/challenge.ts';
import type { ProbeAnswer } from '../verdict/probe-outcome.ts';
import { diagnose } from './diagnose.ts';
import { DIAGNOSTICS } from './diagnostic.ts';

describe('a diagnosis', () => {
  it.each([...DOCUMENT_CASES, ...ENTRY_CASES])('%s is told (%#)', (code, answer, source, path) => {
    expect(diagnose(answer, PROBED_AT)).toContainEqual({ code, source, path });
  });

  it('has a case here for every code', () => {
    const told = new Set([...DOCUMENT_CASES, ...ENTRY_CASES].map(([code]) => code));
    // Header fields too large to read leave no answer to look at.
    expect([...told, 'headers_too_large'].sort()).toEqual(Object.keys(DIAGNOSTICS).sort());
  });

  it.each<[string, ProbeAnswer]>([
    ['version 2 in the header', v2([ENTRY])],
    ['version 1 in the body', v1({})],
    ['both alike', { ...v1({}), headers: v2([ENTRY]).headers }],
    ['other ways to pay beside it', v2([ENTRY, { ...ENTRY, scheme: 'upto' }, { ...ENTRY, asset: DAI }])],
    ['no paywall at all', answered({ status: 200, body: bytes({ accepts: 'application/json' }) })],
    ['an error of the server', answered({ status: 500 })],
  ])('has nothing to say about %s', (_, answer) => {
    expect(diagnose(answer, PROBED_AT)).toEqual([]);
  });

  it('does not know without a time whether terms have expired', () => {
    expect(diagnose(entry({ validBefore: 1_700_000_000 }))).toEqual([]);
  });

  it('tells everything about an entry at once, errors first', () => {
    const found = diagnose(entry({ payTo: '', amount: '0.01', maxTimeoutSeconds: undefined }), PROBED_AT);
    expect(found.map(({ code }) => code)).toEqual(['amount_in_dollars', 'payee_missing', 'timeout_missing']);
  });

  it('ends after 16, and keeps the errors', () => {
    const entries = Array.from({ length: 20 }, () => ({ ...ENTRY, payTo: '', maxTimeoutSeconds: 0 }));
    const found = diagnose(v2(entries), PROBED_AT);
    expect(found.map(({ path }) => path)).toEqual(
      Array.from({ length: 16 }, (_, index) => `$.accepts[${index}].payTo`),
    );
  });
});

describe('the words of a diagnostic', () => {
  it.each(Object.entries(DIAGNOSTICS))('%s are two sentences or more, of ours', (_, { problem, fix }) => {
    expect(problem).toMatch(/^[A-Za-z].*\.$/);
    expect(fix).toMatch(/^[A-Z].*\.$/);
  });
});
