import { describe, expect, it } from 'vitest';
import { microUsd } from '../money/micro-usd.ts';
import { changesIn, isSameState, type Observed } from './observed-state.ts';

const PAYEE = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C';
const observed = (second: number, changes: Partial<Observed> = {}): Observed => ({
  receiptId: `r${second}`,
  at: new Date(second * 1_000),
  verdict: 'pay',
  price: microUsd(10_000n),
  payTo: PAYEE,
  ...changes,
});

describe('what a watch compares', () => {
  it.each<[string, Partial<Observed>, boolean]>([
    ['nothing', {}, true],
    ['the verdict', { verdict: 'skip' }, false],
    ['the price', { price: microUsd(10_001n) }, false],
    ['a price that is gone', { price: null }, false],
    ['the payee', { payTo: '0x1111111111111111111111111111111111111111' }, false],
    ['the spelling of the payee', { payTo: PAYEE.toLowerCase() }, true],
    ['a payee that is gone', { payTo: null }, false],
  ])('%s differs', (_, changes, same) => {
    expect(isSameState(observed(1), observed(2, changes))).toBe(same);
  });

  it('shows changes only, newest first, up to a limit', () => {
    const all = [
      observed(5, { verdict: 'skip' }),
      observed(4),
      observed(3),
      observed(2, { price: null, verdict: 'recheck', payTo: null }),
      observed(1),
    ];
    expect(changesIn(all, 9).map(({ after }) => after.receiptId)).toEqual(['r5', 'r3', 'r2']);
    expect(changesIn(all, 2).map(({ after }) => after.receiptId)).toEqual(['r5', 'r3']);
    expect(changesIn([observed(1)], 9)).toEqual([]);
  });
});
