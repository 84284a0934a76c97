import type { FreeQuota } from '../../core/access/admission.ts';
import { LOOKUP_PRICE } from '../../core/limits.ts';
import type { Clock } from '../../ports/clock.ts';
import { type AttributionPorts, recordLookup } from '../operate/record-attribution.ts';
import { atPrice, type Order } from '../pay/charge.ts';
import { type Buyer, type SaleOutcome, type SellPorts, sell } from '../pay/sell.ts';
import { orGiveBack, type QuotaPorts, reserveUse } from '../quota/reserve-use.ts';
import type { FindServices } from './find-services.ts';
import type { FoundServices, LookUp } from './look-up-services.ts';

export interface LookupRequest {
  readonly query: LookUp;
  readonly client: string | null;
  readonly ref: string | null;
  /** In lower case, as addresses are compared. */
  readonly payer: string | null;
}

export interface LookupPorts extends AttributionPorts {
  readonly findServices: FindServices;
  readonly quota: QuotaPorts;
  readonly payments: SellPorts;
  readonly clock: Pick<Clock, 'now'>;
}

/** What was found, and when. The findings are the same in every tier (gap G94). */
export interface Findings {
  readonly found: FoundServices;
  readonly at: Date;
}

export type LookupResult =
  | (Findings & { readonly kind: 'free'; readonly quota: FreeQuota })
  | (Findings & { readonly kind: 'exempt' })
  | UnchargedLookup
  | SaleOutcome;

/** Nothing matched, and that is not worth money (gap G98). */
export interface UnchargedLookup {
  readonly kind: 'uncharged';
  /** Without its settlement fields. */
  readonly body: string;
}

export interface LookupBuyer extends Buyer {
  readonly selfTest: boolean;
  /** Writes the paid answer, without its settlement fields. */
  readonly render: (query: LookUp, findings: Findings) => string;
}

/** A free use first, then a paid one. The self-test key is neither counted nor charged (gap G05). */
export async function lookup(
  request: LookupRequest,
  buyer: LookupBuyer,
  ports: LookupPorts,
): Promise<LookupResult> {
  const { query, client } = request;
  if (buyer.selfTest) return { kind: 'exempt', ...(await findNow(query, ports)) };
  const free = async (): Promise<LookupResult | null> => {
    const caller = { address: buyer.address, client };
    const use = await reserveUse({ metered: 'lookup', caller, ref: null }, ports.quota);
    const { admission, at } = use;
    if (admission.kind !== 'free') return null;
    const found = await orGiveBack(use, () => ports.findServices(query, at));
    recordLookup(request, at, ports);
    return { kind: 'free', quota: admission.quota, found, at };
  };
  const result = await sell({ free, ...orderOf(request, buyer, ports) }, buyer, ports.payments);
  recordPaid(request, result, ports);
  return result;
}

/** Always paid. Invalid parameters are reported after the payment is verified, and nothing is settled for them. */
export async function paidLookup<Invalid extends { readonly kind: 'bad_request' }>(
  reading: { readonly kind: 'read'; readonly value: LookupRequest } | Invalid,
  buyer: Omit<LookupBuyer, 'selfTest'>,
  ports: LookupPorts,
): Promise<Invalid | UnchargedLookup | SaleOutcome> {
  if (reading.kind === 'bad_request') {
    const work = async () => ({ kind: 'nothing_sold', result: reading }) as const;
    const order = { operation: 'lookup', parameters: ['bad'], ...atPrice(LOOKUP_PRICE), work } as const;
    return sell<Invalid, null>({ free: null, ...order }, buyer, ports.payments);
  }
  const order = orderOf(reading.value, buyer, ports);
  const result = await sell({ free: null, ...order }, buyer, ports.payments);
  recordPaid(reading.value, result, ports);
  return result;
}

function orderOf(
  { query }: LookupRequest,
  { render }: Pick<LookupBuyer, 'render'>,
  ports: LookupPorts,
): Order<UnchargedLookup, null> {
  const { task, endpoint, maxPrice, n, limit } = query;
  return {
    operation: 'lookup',
    parameters: [task, endpoint, maxPrice === null ? null : String(maxPrice), String(n), String(limit)],
    ...atPrice(LOOKUP_PRICE),
    async work() {
      const findings = await findNow(query, ports);
      const body = render(query, findings);
      if (findings.found.matched === 0) return { kind: 'nothing_sold', result: { kind: 'uncharged', body } };
      return { kind: 'done', answer: { body, receipt: null } };
    },
  };
}

async function findNow(query: LookUp, { findServices, clock }: LookupPorts): Promise<Findings> {
  const at = clock.now();
  return { found: await findServices(query, at), at };
}

/** A repeated payment returns the same answer, which was recorded the first time. */
function recordPaid(request: LookupRequest, result: LookupResult, ports: LookupPorts): void {
  if (result.kind === 'answered' && !result.replayed) recordLookup(request, ports.clock.now(), ports);
}
