import { describe, expect, it } from 'vitest';
import { PAYER, PRICE, SELLER, unsigned } from '../../../test/support/paying/charging-payments.ts';
import { useChargingWorlds } from '../../../test/support/paying/charging-world.ts';
import { createKeyedSlots } from '../../core/concurrency/keyed-slots.ts';
import type { PaymentReading } from '../../core/x402/payment-payload.ts';
import { type Sale, sell } from './sell.ts';

const charging = useChargingWorlds();
const PAYMENT: PaymentReading = { kind: 'payment', payment: unsigned() };
const NONE: PaymentReading = { kind: 'none' };
const MALFORMED: PaymentReading = { kind: 'unreadable', fault: 'bad_json' };
const TWO: PaymentReading = { kind: 'unreadable', fault: 'two_payments' };
const BAD_ID: PaymentReading = { kind: 'unreadable', fault: 'bad_identifier' };
const FREE = { kind: 'served_free' };

/** A shop with this many free uses. `asked` holds what was called. */
async function shop(freeUses: number | null) {
  const { ports, trace } = await charging();
  const left = { uses: freeUses ?? 0 };
  const free = async () => {
    trace.push('free');
    left.uses -= 1;
    return left.uses < 0 ? null : FREE;
  };
  const sale: Sale<typeof FREE, string> = {
    operation: 'lookup',
    parameters: ['weather'],
    limit: null,
    free: freeUses === null ? null : free,
    quote: async () => {
      trace.push('quote');
      return { kind: 'price', price: PRICE, goods: 'what the quote found' };
    },
    work: async (goods) => {
      trace.push('work');
      return { kind: 'done', answer: { body: goods, receipt: null } };
    },
  };
  const copies = createKeyedSlots({ perKey: 1 });
  const buy = (offered: PaymentReading, changes: { payTo?: null; sale?: Partial<typeof sale> } = {}) =>
    sell(
      { ...sale, ...changes.sale },
      { address: '192.0.2.1', offered },
      { payTo: SELLER, secret: 'secret', copies, ...ports, ...changes },
    );
  return { buy, trace, left };
}

describe('a sale', () => {
  it.each<[string, number | null, PaymentReading, object, string[]]>([
    ['is free while a free use is left', 1, NONE, FREE, ['free']],
    ['ignores a payment that cannot be read while something is free (G07)', 1, TWO, FREE, ['free']],
    [
      'names the price when nothing is free any more',
      0,
      NONE,
      { kind: 'payment_required', price: PRICE, malformed: false },
      ['free', 'quote'],
    ],
    [
      'names the price when nothing is ever free',
      null,
      NONE,
      { kind: 'payment_required', price: PRICE, malformed: false },
      ['quote'],
    ],
    [
      'says that a payment is malformed',
      0,
      MALFORMED,
      { kind: 'payment_required', price: PRICE, malformed: true },
      ['free', 'quote'],
    ],
    ['quotes nothing for two different payments', 0, TWO, { kind: 'two_payments' }, ['free']],
    ['quotes nothing for a bad identifier (G67)', null, BAD_ID, { kind: 'bad_identifier' }, []],
  ])('%s', async (_, freeUses, offered, outcome, asked) => {
    const { buy, trace } = await shop(freeUses);
    expect([await buy(offered), trace]).toEqual([outcome, asked]);
  });

  it('without a wallet serves what is free and nothing else (G66)', async () => {
    const { buy, trace } = await shop(1);
    expect(await buy(PAYMENT, { payTo: null })).toEqual(FREE);
    expect(await buy(PAYMENT, { payTo: null })).toEqual({ kind: 'no_wallet' });
    expect(trace).toEqual(['free', 'free']);
  });

  it('looks for a bought answer before it gives a free one away, and charges when neither is there', async () => {
    const { buy, trace } = await shop(0);
    const body = `lookup what the quote found paid 20000 by ${PAYER}`;
    expect(await buy(PAYMENT)).toMatchObject({ kind: 'answered', replayed: false, answer: { body } });
    expect(trace.slice(0, 5)).toEqual(['ledger.lookAndEnd', 'free', 'ledger.look', 'quote', 'verify']);
  });

  it('brings back what the payment has bought although something is free again (G63)', async () => {
    const { buy, trace, left } = await shop(0);
    const first = await buy(PAYMENT);
    left.uses = 1;
    trace.length = 0;
    expect(await buy(PAYMENT)).toEqual({ ...first, replayed: true });
    expect(trace).toEqual(['ledger.lookAndEnd', 'counters.reserve']);
  });

  it('gives the free use, not a conflict, to a payment that has bought something else', async () => {
    const { buy, left } = await shop(0);
    await buy(PAYMENT);
    left.uses = 1;
    const other = { sale: { parameters: ['stocks'] } };
    expect(await buy(PAYMENT, other)).toEqual(FREE);
    expect(await buy(PAYMENT, other)).toEqual({ kind: 'reused' });
  });

  it('refuses a copy of a payment while the first is at work, and not after it (L91)', async () => {
    const { buy } = await shop(0);
    const work = async () => {
      expect(await buy(PAYMENT)).toEqual({ kind: 'too_many_copies' });
      expect(await buy(NONE)).toMatchObject({ kind: 'payment_required' });
      throw new Error('our own fault');
    };
    await expect(buy(PAYMENT, { sale: { work } })).rejects.toThrow('our own fault');
    expect(await buy(PAYMENT)).toMatchObject({ kind: 'answered', replayed: false });
  });

  it('ends with what the quote says when there is nothing to sell', async () => {
    const { buy } = await shop(0);
    const nothing = { kind: 'blocked' };
    const quote = async () => ({ kind: 'nothing_sold', result: nothing }) as const;
    expect(await buy(NONE, { sale: { quote } })).toEqual(nothing);
    expect(await buy(PAYMENT, { sale: { quote } })).toEqual(nothing);
  });
});
