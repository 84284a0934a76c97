import { formatUsd } from '../../core/money/micro-usd.ts';
import { isSameAddress } from '../../core/x402/address.ts';
import type { Side } from '../ask/findings.ts';
import { plainText, shortAddress } from './plain-text.ts';

/** One row of "expected against live"; `differs` is null where one side has no value. */
export interface TermRow {
  readonly field: 'price' | 'network' | 'payee';
  readonly expected: string;
  readonly live: string;
  readonly differs: boolean | null;
}

const NOTHING = '-';

/** Of several offers the one that differs least is compared. */
export function termRows(expected: Side, offers: readonly Side[], columns: number): readonly TermRow[] {
  const [first, ...others] = offers.map((offer) => rowsOf(expected, offer, columns));
  if (first === undefined) return [];
  return others.reduce((best, rows) => (differing(rows) < differing(best) ? rows : best), first);
}

function differing(rows: readonly TermRow[]): number {
  return rows.filter(({ differs }) => differs === true).length;
}

function rowsOf(expected: Side, live: Side, columns: number): TermRow[] {
  const usd = ({ price }: Side) => (price === null ? null : `$${formatUsd(price)}`);
  return [
    row('price', [usd(expected), usd(live)], (left, right) => left === right),
    row('network', [expected.network, live.network], (left, right) => left === right),
    row('payee', [expected.payTo, live.payTo], isSameAddress, (payee) => shortAddress(payee, columns)),
  ];
}

function row(
  field: TermRow['field'],
  [expected, live]: readonly [string | null, string | null],
  isSame: (left: string, right: string) => boolean,
  textOf = plainText,
): TermRow {
  const shown = (value: string | null) => (value === null ? NOTHING : textOf(value));
  const differs = expected === null || live === null ? null : !isSame(expected, live);
  return { field, expected: shown(expected), live: shown(live), differs };
}
