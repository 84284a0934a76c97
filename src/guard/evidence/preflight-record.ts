import { usdNumber } from '../../core/money/micro-usd.ts';
import type { Verdict } from '../../core/verdict/verdict.ts';
import { member } from '../../core/x402/read-json.ts';
import type { Purchase, PurchaseState } from '../ledger/purchase.ts';
import type { EvidenceFacts } from './evidence-facts.ts';

/**
 * Payment Preflight Record, draft version 0.1 (pull request 2792 of 2026-07-05):
 * specs/extensions/extension-payment-preflight-record.md of x402-foundation/x402, commit 6088bc9. Without `authority`:
 * a purchase holds neither the budget nor who confirmed it.
 */
export type PreflightRecord = ReturnType<typeof preflightRecord>;

const VERDICTS = { pay: 'GO', skip: 'STOP', recheck: 'HOLD' } as const satisfies Record<
  Verdict['verdict'],
  string
>;

export interface Preflight {
  readonly facts: EvidenceFacts;
  readonly refundEndpoint: string | null;
}

export function preflightRecord(purchase: Purchase, { facts, refundEndpoint }: Preflight) {
  const { id, terms, amount, witness } = purchase;
  const payment = {
    rail: 'x402',
    network: terms.network,
    asset: terms.asset,
    payee_address: terms.payTo,
    resource: purchase.url,
    quote_usd: usdNumber(amount),
    action_class: 'api-purchase',
  } as const;
  const { rail, network, asset, payee_address, quote_usd } = payment;
  return {
    record_id: id,
    created_at: facts.created_at,
    payment,
    risk: {
      verdict: VERDICTS[facts.verdict.verdict],
      // The rules judged this payment and no other one.
      coverage: {
        version: 1,
        dimensions: [
          { field: 'payment.rail', in: [rail] },
          { field: 'payment.network', in: [network] },
          { field: 'payment.asset', in: [asset] },
          { field: 'payment.payee_address', in: [payee_address] },
          { field: 'payment.quote_usd', range: { gt: 0, lte: quote_usd } },
        ],
      },
      oracle: {
        name: witness === null ? `assay rules ${purchase.rulesVersion}` : witness.service,
        receipt_id: witness?.receiptId ?? null,
        binding: { record_id: id, payee_address, asset, network, quote_usd },
      },
    },
    execution: {
      idempotency_key: id,
      settlement_status: settlementOf(purchase.state, facts),
      rollback: { route: refundEndpoint === null ? 'none' : 'refund', contact: refundEndpoint },
    },
  } as const;
}

type SettlementStatus = 'unsigned' | 'signed' | 'settled' | 'failed';

function settlementOf(
  state: PurchaseState,
  { authorization, chain, answer }: EvidenceFacts,
): SettlementStatus {
  if (state === 'never_settled') return 'failed';
  if (chain?.used === true || state === 'paid_undelivered') return 'settled';
  const decoded = answer?.payment_response?.decoded ?? null;
  if (decoded !== null && member(decoded, 'success') === true) return 'settled';
  return authorization === null ? 'unsigned' : 'signed';
}
