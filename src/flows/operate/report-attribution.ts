import type { MicroUsd } from '../../core/money/micro-usd.ts';
import { order } from '../../core/order.ts';
import { BASE } from '../../core/x402/usdc-on-base.ts';
import type {
  AttributionStore,
  NamedTally,
  PaidTotal,
  SubjectTally,
  TransferLog,
  TransfersRead,
} from '../../ports/attribution.ts';
import type { Catalog } from '../lookup/look-up-services.ts';
import { readRecords } from '../lookup/read-records.ts';

export interface ReportParts {
  readonly attribution: Pick<AttributionStore, 'total' | 'tally' | 'subjects'>;
  readonly catalog: Catalog;
  readonly transfers: TransferLog;
}

/** For the operator: where callers come from, what they look up, and whom they pay afterwards. */
export interface AttributionReport {
  readonly since: Date;
  readonly lookups: number;
  readonly refs: readonly NamedTally[];
  readonly clients: readonly NamedTally[];
  readonly subjects: readonly SubjectTally[];
  readonly payers: readonly PayerReport[];
  /** More wallets were named than the report follows. */
  readonly morePayers: boolean;
  readonly chain:
    | { readonly kind: 'not_asked' }
    | { readonly kind: 'read'; readonly since: Date }
    | Extract<TransfersRead, { kind: 'unavailable' }>;
}

/** A wallet that callers named, and its payments to listed sellers since it was first named. */
export interface PayerReport {
  readonly payer: string;
  readonly lookups: number;
  readonly firstAt: Date;
  readonly paid: readonly PaidSeller[];
}

export interface PaidSeller {
  readonly payTo: string;
  readonly services: readonly string[];
  readonly payments: number;
  readonly amount: MicroUsd;
}

const ROWS_MAX = 1_000;
const PAYERS_MAX = 100;

export async function reportAttribution(parts: ReportParts, since: Date): Promise<AttributionReport> {
  const { attribution, catalog, transfers } = parts;
  const lookups = await attribution.total(since);
  const refs = await attribution.tally('ref', since, ROWS_MAX);
  const clients = await attribution.tally('client', since, ROWS_MAX);
  const subjects = await attribution.subjects(since, ROWS_MAX);
  // One more than the limit, plus the row of lookups without a wallet.
  const named = (await attribution.tally('payer', since, PAYERS_MAX + 2)).flatMap(declared);
  const followed = named.slice(0, PAYERS_MAX);
  const counts = { since, lookups, refs, clients, subjects, morePayers: named.length > PAYERS_MAX };
  if (followed.length === 0) return { ...counts, payers: [], chain: { kind: 'not_asked' } };

  const sellers = await sellersByPayee(catalog);
  const asked = followed.map(({ payer, firstAt }) => ({ payer, since: firstAt }));
  const read = await transfers.paidBy(asked, [...sellers.keys()]);
  const paid = read.kind === 'read' ? read.paid : [];
  const payers = followed.map((one) => ({ ...one, paid: paidSellers(one.payer, paid, sellers) }));
  return { ...counts, payers, chain: read.kind === 'read' ? { kind: 'read', since: read.since } : read };
}

function declared({ name, lookups, firstAt }: NamedTally) {
  return name === null ? [] : [{ payer: name, lookups, firstAt }];
}

type Sellers = ReadonlyMap<string, ReadonlySet<string>>;

/** Payees of services on Base, listed or paid by us, in lower case, each with the ids of its services. */
async function sellersByPayee({ index, facts }: Catalog): Promise<Sellers> {
  const onBase = index.services.filter(({ network }) => network.network === BASE);
  const sellers = new Map<string, Set<string>>();
  for (const { service, calls } of await readRecords(onBase, facts)) {
    const payees = [service.payTo, ...calls.map(({ payTo }) => payTo)];
    for (const payee of payees) {
      if (payee === null) continue;
      const ids = sellers.get(payee.toLowerCase()) ?? new Set();
      sellers.set(payee.toLowerCase(), ids.add(service.id));
    }
  }
  return sellers;
}

function paidSellers(payer: string, paid: readonly PaidTotal[], sellers: Sellers): PaidSeller[] {
  return paid
    .filter((total) => total.payer === payer)
    .map(({ payTo, payments, amount }) => ({
      payTo,
      services: [...(sellers.get(payTo) ?? [])].sort(),
      payments,
      amount,
    }))
    .sort((left, right) => order(right.amount, left.amount) || order(left.payTo, right.payTo));
}
