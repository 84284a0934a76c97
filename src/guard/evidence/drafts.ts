import type { Purchase, PurchaseState } from '../ledger/purchase.ts';
import { type DeliveryClaim, deliveryClaim } from './delivery-claim.ts';
import type { EvidenceFacts } from './evidence-facts.ts';
import { type PreflightRecord, preflightRecord } from './preflight-record.ts';
import { refundEndpointOf } from './refund-endpoint.ts';
import { type RefundReason, type RefundRequest, refundRequest } from './refund-request.ts';
import { transactionOf } from './transaction-of.ts';

/** Bodies with the names of the drafts. None is signed, and what is not known is null: `to_be_added` lists both. */
export interface Drafts {
  /** Null unless money may have moved for nothing. */
  readonly refund_request: RefundRequest | null;
  /** Where the seller takes it, if its 402 says so. */
  readonly refund_endpoint: string | null;
  /** Null while the outcome is open, and when nothing was paid. */
  readonly delivery_claim: DeliveryClaim | null;
  readonly payment_preflight_record: PreflightRecord;
  readonly to_be_added: {
    readonly refund_request: readonly string[];
    readonly delivery_claim: readonly string[];
    readonly payment_preflight_record: readonly string[];
  };
}

export interface DraftSource {
  readonly purchase: Purchase;
  readonly facts: EvidenceFacts;
  readonly isDuplicate: boolean;
}

export function draftsOf({ purchase, facts, isDuplicate }: DraftSource): Drafts {
  const transaction = transactionOf(facts);
  const delivered = deliveryOf(purchase);
  const reason = isDuplicate && delivered !== null ? 'duplicate_payment' : reasonOf(delivered);
  const refund = reason === null ? null : refundRequest(purchase, { reason, transaction });
  const claim = delivered === null ? null : deliveryClaim(purchase, { facts, delivered, transaction });
  const endpoint = refundEndpointOf(purchase.challenge);
  const unsettled = transaction === null;
  return {
    refund_request: refund,
    refund_endpoint: endpoint,
    delivery_claim: claim,
    payment_preflight_record: preflightRecord(purchase, { facts, refundEndpoint: endpoint }),
    to_be_added: {
      refund_request:
        refund === null ? [] : [...(unsettled ? ['paymentReference.txHash'] : []), 'payerSignature'],
      delivery_claim: claim === null ? [] : [...(unsettled ? ['settlementRef', 'claimId'] : []), 'signature'],
      payment_preflight_record: ['authority'],
    },
  };
}

/** Whether the buyer got something for money that may have moved; null when it did not move, or is not known yet. */
const DELIVERY: Readonly<Record<PurchaseState, 'yes' | 'no' | null>> = {
  reserved: null,
  signed: null,
  sent: null,
  delivering: null,
  delivered: 'yes',
  empty: 'no',
  failed: 'no',
  asked_again: 'no',
  unknown: 'no',
  paid_undelivered: 'no',
  never_settled: null,
  expired: null,
};

function deliveryOf({ state, authorization, chain }: Purchase): 'yes' | 'no' | null {
  // The chain is over what everybody says: what was not used took no money.
  return authorization === null || chain?.used === false ? null : DELIVERY[state];
}

function reasonOf(delivered: 'yes' | 'no' | null): RefundReason | null {
  return delivered === 'no' ? 'service_not_delivered' : null;
}
