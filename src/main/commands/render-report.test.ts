import { describe, expect, it } from 'vitest';
import type { AttributionReport } from '../../flows/operate/report-attribution.ts';
import { reportJson, reportText } from './render-report.ts';

const SINCE = new Date('2026-10-16T12:00:00.000Z');
const PAYER = `0x${'b'.repeat(40)}`;
const tally = (name: string | null, lookups: number) => ({ name, lookups, firstAt: SINCE });
const REPORT: AttributionReport = {
  since: SINCE,
  lookups: 0,
  refs: [],
  clients: [],
  subjects: [],
  payers: [],
  morePayers: false,
  chain: { kind: 'not_asked' },
};
const named: Partial<AttributionReport> = {
  payers: [{ payer: PAYER, lookups: 12, firstAt: SINCE, paid: [] }],
  chain: { kind: 'read', since: SINCE },
};

describe('the report on a terminal', () => {
  it('leaves out what there is nothing to say about', () => {
    expect(reportText(REPORT)).toBe(
      '0 lookups since 2026-10-16\n\nNo caller named a wallet, so the chain was not queried.',
    );
  });

  it('shows twenty rows of a list and says how many more there are', () => {
    const refs = Array.from({ length: 23 }, (_, n) => tally(`ref-${n}`, 100 - n));
    const lines = reportText({ ...REPORT, refs }).split('\n');
    expect(lines.slice(2, 5)).toEqual(['ref     lookups', 'ref-0       100', 'ref-1        99']);
    expect(lines.slice(21, 24)).toEqual(['ref-18       82', 'ref-19       81', '... and 3 more']);
    expect(reportJson({ ...REPORT, refs }).by_ref).toHaveLength(23);
  });

  it('names lookups that could not be told apart', () => {
    const subject = { kind: 'other', name: null } as const;
    const report = { ...REPORT, subjects: [{ subject, lookups: 7, firstAt: SINCE }] };
    expect(reportText(report)).toContain('(too many at once to tell apart)        7');
    expect(reportJson(report).not_told_apart).toBe(7);
  });

  it.each<[string, Partial<AttributionReport>, string]>([
    ['that paid nobody', {}, `${PAYER}       12  nobody\n`],
    ['beyond those that were followed', { morePayers: true }, '... and more, not followed\n'],
    [
      'when the node cannot be asked',
      { chain: { kind: 'unavailable', because: 'no_answer' } },
      'Their payments are unknown: the node at RPC_URL did not answer.',
    ],
    [
      'when the node is of another chain',
      { chain: { kind: 'unavailable', because: 'not_base' } },
      'Their payments are unknown: the node at RPC_URL is not on Base.',
    ],
    [
      'when there is too much to read',
      { chain: { kind: 'unavailable', because: 'too_much' } },
      'Their payments are unknown: the node at RPC_URL would need too many queries.',
    ],
    [
      'of which nothing is known',
      { chain: { kind: 'unavailable', because: 'no_answer' } },
      `${PAYER}       12  ?\n`,
    ],
  ])('has wallets %s', (_, changes, text) => {
    expect(reportText({ ...REPORT, ...named, ...changes })).toContain(text);
  });
});
