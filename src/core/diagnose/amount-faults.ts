import { SANE_PRICE_MAX } from '../limits.ts';
import { readAmount } from '../x402/offer.ts';
import { type JsonObject, member } from '../x402/read-json.ts';
import type { DiagnosticCode } from './diagnostic.ts';
import type { EntryFault } from './entry-fault.ts';

/** Why the amount of an entry cannot be read or, in USDC, would not be approved without a claimed price. */
export function amountFaults(entry: JsonObject, version: unknown, inUsdc: boolean): EntryFault[] {
  const amount = member(entry, 'amount') ?? undefined;
  const maximum = member(entry, 'maxAmountRequired') ?? undefined;
  const at = amount === undefined && (maximum !== undefined || version === 1) ? MAXIMUM : AMOUNT;
  const read = readAmount(entry);
  if (read !== null) return inUsdc ? implausible(read).map((code) => ({ code, at })) : [];
  if (amount === undefined && maximum === undefined) return [{ code: 'amount_missing', at }];
  const unreadable = [
    ...(amount === undefined ? [] : unreadableAs(amount).map((code) => ({ code, at: AMOUNT }))),
    ...(maximum === undefined ? [] : unreadableAs(maximum).map((code) => ({ code, at: MAXIMUM }))),
  ];
  return unreadable.length > 0 ? unreadable : [{ code: 'amounts_differ', at: MAXIMUM }];
}

const AMOUNT = '.amount';
const MAXIMUM = '.maxAmountRequired';

function implausible(amount: bigint): DiagnosticCode[] {
  if (amount === 0n) return ['amount_zero'];
  return amount > SANE_PRICE_MAX ? ['amount_too_high'] : [];
}

function unreadableAs(value: unknown): DiagnosticCode[] {
  if (readAmount({ amount: value }) !== null) return [];
  if (typeof value === 'number') return [numberFault(value)];
  return [typeof value === 'string' ? textFault(value) : 'amount_not_digits'];
}

function numberFault(value: number): DiagnosticCode {
  if (value < 0) return 'amount_negative';
  return Number.isInteger(value) ? 'amount_not_digits' : 'amount_in_dollars';
}

// A decimal number, with a sign or the name of a currency beside it or without.
const DECIMAL = /^\$?[ ]?[0-9]{0,20}[.,][0-9]{1,20}[ ]?[A-Za-z]{0,5}$/;
const DOLLARS = /^\$/;
const MINUS = /^[ ]?-/;
const MANY_DIGITS = /^[1-9][0-9]{70,}$/;

function textFault(text: string): DiagnosticCode {
  if (text === '') return 'amount_missing';
  if (MINUS.test(text)) return 'amount_negative';
  if (DECIMAL.test(text) || DOLLARS.test(text)) return 'amount_in_dollars';
  return MANY_DIGITS.test(text) ? 'amount_too_high' : 'amount_not_digits';
}
