import { describe, expect, it } from 'vitest';
import { checkPayments } from '../../lab/chaos/check/check-payments.ts';
import type { Evidence, LedgerRow } from '../../lab/chaos/evidence.ts';
import {
  evidence,
  LATER,
  paidText,
  payment,
  REFUSED,
  REPLAY,
  ROW,
  rulesOf,
  said,
  transfer,
} from '../support/chaos-evidence.ts';

/** A checker that cannot fail is worthless: every rule bites on a planted violation, and on nothing else. */
describe('what became of the money', () => {
  const second = transfer({ nonce: 'n2', tx: '0xt2' });
  const secondRow: LedgerRow = { ...ROW, nonce: 'n2', tx: '0xt2' };
  const secondPaid = said({ text: paidText('0xt2'), settlement: 's2' });

  it.each<[string, Evidence, string[]]>([
    ['nothing is wrong', evidence(), []],
    [
      'a payment was refused, and another one bought the answer',
      evidence(
        { transfers: [second], ledger: [secondRow], replays: [] },
        payment('n1', [REFUSED]),
        payment('n2', [secondPaid]),
      ),
      [],
    ],
    [
      'an answer came only when all was quiet',
      evidence({ lateAnswers: new Map([['n1', said()]]) }, payment('n1', [null, LATER])),
      [],
    ],
    [
      'money of somebody who bought nothing',
      evidence({ transfers: [transfer(), second], ledger: [ROW, secondRow] }),
      ['a transfer belongs to no purchase'],
    ],
    [
      'another price than the 402 said',
      evidence({ transfers: [transfer({ value: 25_000n })] }),
      ['a transfer is of another amount than was offered'],
    ],
    [
      'money without an answer, which nobody will ever say anything about',
      evidence({ replays: [], lateAnswers: new Map([['n1', null]]) }, payment('n1', [null, LATER])),
      ['a transfer bought no answer', 'a payment has no outcome although all is quiet'],
    ],
    [
      'an answer that names a transaction of a liar',
      evidence({ replays: [] }, payment('n1', [said({ text: paidText('0xabab') })])),
      ['an answer names another transaction'],
    ],
    [
      'two charges for one purchase, the first of which was denied',
      evidence(
        { transfers: [transfer(), second], ledger: [ROW, secondRow], replays: [] },
        payment('n1', [REFUSED]),
        payment('n2', [secondPaid]),
      ),
      [
        'a transfer bought no answer',
        'a purchase was charged twice',
        'somebody was told "not charged" and was charged',
      ],
    ],
    [
      'a refusal of what is charged later',
      evidence({}, payment('n1', [REFUSED, said()])),
      ['somebody was told "not charged" and was charged'],
    ],
    [
      'a client that breaks the rules itself',
      evidence(
        { transfers: [second], ledger: [secondRow], replays: [] },
        payment('n1', [LATER]),
        payment('n2', [secondPaid]),
      ),
      ['a client signed again while a payment was open', 'a payment has no outcome although all is quiet'],
    ],
    [
      'other bytes the second time',
      evidence({ replays: [{ ...REPLAY, text: `${paidText('0xt1')} ` }] }),
      ['a paid answer came back changed'],
    ],
    [
      'another settlement header the second time',
      evidence({ replays: [{ ...REPLAY, settlement: 's2' }] }),
      ['a paid answer came back changed'],
    ],
    [
      'a replica that does not know the payment',
      evidence({ replays: [REPLAY, { ...REPLAY, status: 402, isPaid: false }] }),
      ['a paid answer came back changed'],
    ],
    [
      'a row without an outcome',
      evidence({ ledger: [{ ...ROW, isOpen: true }] }),
      ['the ledger has an open row'],
    ],
    [
      'books that say more than the chain',
      evidence({ transfers: [] }),
      ['the ledger has a settlement that the chain has not'],
    ],
    [
      'books that say less than the chain',
      evidence({ ledger: [] }),
      ['the chain has a transfer that the ledger has not'],
    ],
  ])('%s', (_, given, rules) => {
    expect(rulesOf(checkPayments(given))).toEqual(rules);
  });
});
