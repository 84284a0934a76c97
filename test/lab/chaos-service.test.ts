import { describe, expect, it } from 'vitest';
import { checkService } from '../../lab/chaos/check/check-service.ts';
import type { Evidence } from '../../lab/chaos/evidence.ts';
import { type FaultNote, newJournal, type RequestNote } from '../../lab/chaos/journal.ts';
import type { SeenRequest } from '../../lab/world/surroundings.ts';
import { evidence, NOON, rulesOf } from '../support/chaos-evidence.ts';

const DAY = '2026-11-15';

function seen(changes: Partial<SeenRequest>): SeenRequest {
  return {
    host: '127.0.1.1:80',
    agent: 'Assay-Prober/lab (replica-1 1)',
    target: 'GET /honest',
    hasPayment: false,
    startedAt: NOON,
    endedAt: NOON + 100,
    answered: true,
    ...changes,
  };
}

const request = (changes: Partial<RequestNote>): RequestNote => {
  const usual = { what: 'lookup', replica: 'replica-1', startedAt: NOON, endedAt: NOON + 5, code: null };
  return { status: 200, ...usual, ...changes };
};
const fault = (startedAt: number, endedAt: number): FaultNote => {
  return { name: 'kill a replica at random', replica: 'replica-1', over: 'answer', startedAt, endedAt };
};
const uses = (kind: 'lookup' | 'check' | 'dry_run', ...left: number[]) =>
  left.map((remaining, at) => ({ kind, caller: 1, day: DAY, at, remaining }));

describe('what became of everything else', () => {
  const MEGABYTE = 1_048_576;
  const small = { rssBytes: 100 * MEGABYTE, openFiles: 20 };
  const receipt = { id: 'sc-1', replica: 'replica-1', status: 200, text: '{}' };
  const withJournal = (changes: Partial<Evidence['journal']>) =>
    evidence({ journal: { ...newJournal(), ...changes } });

  const calm = { startedAt: NOON, endedAt: NOON + 15_000, openedMs: 1, median: 10_000, bytesEach: 6_000 };
  const held = { wanted: 10_000, most: 10_000, median: 9_000, calm, opened: 12_000 };
  const withHeld = (changes: Partial<typeof held>, ...requests: RequestNote[]) =>
    evidence({ journal: { ...newJournal(), requests }, held: { ...held, ...changes } });

  it.each<[string, Evidence, string[]]>([
    [
      'nothing is wrong',
      evidence({ receipts: [receipt], taken: [{ name: 'replica-1', before: small, after: small }] }),
      [],
    ],
    [
      'a receipt that one replica does not have',
      evidence({ receipts: [receipt, { ...receipt, replica: 'replica-2', status: 404 }] }),
      ['a receipt that was acknowledged is not served'],
    ],
    [
      'a receipt that is another one elsewhere',
      evidence({ receipts: [receipt, { ...receipt, replica: 'replica-2', text: '{"a":1}' }] }),
      ['two replicas serve another receipt'],
    ],
    ['five free lookups', withJournal({ freeUses: uses('lookup', 4, 3, 2, 1, 0) }), []],
    [
      'five lookups on each of two days, and some while the clock was moved',
      withJournal({
        freeUses: [
          ...uses('lookup', 4, 3, 2, 1, 0),
          ...uses('lookup', 4, 3, 2, 1, 0).map((use) => ({ ...use, day: '2026-11-16' })),
          ...uses('lookup', 4).map((use) => ({ ...use, day: null })),
        ],
      }),
      [],
    ],
    [
      'a sixth',
      withJournal({ freeUses: uses('lookup', 5, 4, 3, 2, 1, 0) }),
      ['more free uses than the day has'],
    ],
    [
      'a second free check',
      withJournal({ freeUses: uses('check', 1, 0) }),
      ['more free uses than the day has'],
    ],
    [
      'a lookup that was forgotten',
      withJournal({ freeUses: uses('lookup', 4, 3, 3) }),
      ['a free use that was acknowledged is lost'],
    ],
    [
      'a payment that was passed on',
      evidence({ seen: [seen({ hasPayment: true })] }),
      ['the service sent a payment to a target'],
    ],
    [
      'a payment of the runner, which pays sellers',
      evidence({ seen: [seen({ hasPayment: true, agent: 'Assay-Prober/lab (verifier 1)' })] }),
      [],
    ],
    [
      'three requests at a time, and a fourth after them',
      evidence({ seen: [0, 1, 2, 100].map((ms) => seen({ startedAt: NOON + ms, endedAt: NOON + ms + 98 })) }),
      [],
    ],
    [
      'four at a time',
      evidence({ seen: [0, 1, 2, 3].map((ms) => seen({ startedAt: NOON + ms })) }),
      ['too many requests to one host at a time'],
    ],
    [
      'four within a millisecond',
      evidence({ seen: [0, 0, 0, 0].map(() => seen({ endedAt: NOON })) }),
      ['too many requests to one host at a time'],
    ],
    [
      'four of two processes',
      evidence({ seen: [1, 1, 2, 2].map((n) => seen({ agent: `Assay-Prober/lab (replica-${n} 1)` })) }),
      ['too many requests to one host at a time'],
    ],
    [
      'three of a replica and one of the crawl',
      evidence({
        seen: ['replica-1', 'replica-1', 'replica-2', 'crawler'].map((name) =>
          seen({ agent: `Assay-Prober/lab (${name} 1)` }),
        ),
      }),
      ['too many requests to one host at a time'],
    ],
    ['half a run', evidence({ runs: [{ id: 'r1', receipts: 18 }] }), ['a run was published in part']],
    [
      'a fault of ours',
      withJournal({ requests: [request({ status: 500 })], faults: [fault(NOON, NOON)] }),
      ['an answer of 5xx that is not 503'],
    ],
    [
      'a 503 while a replica is gone',
      withJournal({ requests: [request({ status: 503 })], faults: [fault(NOON, NOON)] }),
      [],
    ],
    [
      'a 503 a minute before anything happened',
      withJournal({ requests: [request({ status: 503 })], faults: [fault(NOON + 60_000, NOON + 61_000)] }),
      ['a 503 without a fault'],
    ],
    [
      'a 503 long after',
      withJournal({ requests: [request({ status: 503 })], faults: [fault(NOON - 90_000, NOON - 80_000)] }),
      ['a 503 without a fault'],
    ],
    [
      'silence out of nothing',
      withJournal({ requests: [request({ status: null })] }),
      ['a request got no answer, and there was no fault'],
    ],
    [
      'silence in which somebody died',
      withJournal({ requests: [request({ status: null })], faults: [fault(NOON + 1, NOON + 2)] }),
      [],
    ],
    [
      'a process that fell',
      withJournal({ falls: ['replica-1 ended with 1'] }),
      ['a process ended by itself'],
    ],
    [
      'memory that is gone',
      evidence({
        taken: [{ name: 'replica-1', before: small, after: { ...small, rssBytes: 301 * MEGABYTE } }],
      }),
      ['memory did not come back'],
    ],
    [
      'sockets that are gone',
      evidence({ taken: [{ name: 'replica-1', before: small, after: { ...small, openFiles: 81 } }] }),
      ['open files did not come back'],
    ],
    [
      'a slow client that was kept',
      withJournal({ slow: [{ kind: 'idle', opened: 9, cut: 8 }] }),
      ['a client that takes for ever was not let go'],
    ],
    ['connections that were held while others were answered', withHeld({}, request({})), []],
    [
      'fewer connections than there should be',
      withHeld({ most: 9_999 }, request({})),
      ['fewer connections were held than there should be'],
    ],
    [
      'one replica that answered, and another that was busy with connections',
      withHeld(
        {},
        request({}),
        request({ replica: 'replica-2', status: null }),
        request({ replica: 'replica-2', status: 503 }),
        request({ replica: 'replica-2', endedAt: NOON + 20_000 }),
        request({ replica: 'replica-2', startedAt: NOON - 1_000 }),
      ),
      [
        'a request got no answer, and there was no fault',
        'a 503 without a fault',
        'nobody was answered while connections were held',
      ],
    ],
    [
      'a runner whose books are wrong',
      evidence({ runner: { payer: '0xbuyer', spent: 10_000n, open: 0 } }),
      ['the runner spent another sum than it says'],
    ],
    [
      'a runner that left a call open',
      evidence({ runner: { payer: '0xbuyer', spent: 20_000n, open: 1 } }),
      ['the runner has calls without an end'],
    ],
  ])('%s', (_, given, rules) => {
    expect(rulesOf(checkService(given))).toEqual(rules);
  });
});
