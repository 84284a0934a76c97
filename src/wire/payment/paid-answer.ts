import type { z } from 'zod';
import { formatUsd, microUsd } from '../../core/money/micro-usd.ts';
import { explorerUrl } from '../../core/x402/explorer.ts';
import type { PaymentRefusal } from '../../core/x402/payment-refusal.ts';
import { BASE, BASE_USDC } from '../../core/x402/usdc-on-base.ts';
import type { PromiseReceipt } from '../../flows/log/promise-receipt.ts';
import type { FinishAnswer, Paid } from '../../flows/pay/settle-payment.ts';
import type { paidAccess } from '../responses/access.ts';
import { promiseJson } from '../responses/proofs/promise-members.ts';

/** An answer before its settlement is known: JSON without the closing brace. */
export function openJson(members: object): string {
  return JSON.stringify(members).slice(0, -1);
}

/** Adds the last members and the closing brace. */
export function closeJson(open: string, members: object): string {
  return `${open},${JSON.stringify(members).slice(1)}`;
}

/** Adds the settlement to body and header, and the promise to a receipt. The bytes are stored, so that a retry gets the same (gap G63). */
export function createFinishPaidAnswer(promiseReceipt: PromiseReceipt): FinishAnswer {
  return ({ operation, body, receipt }, paid) => {
    const settlement = settlementJson(paid);
    const access = operation === 'pack' ? { ...paidAccessJson(paid), settlement } : paidAccessJson(paid);
    const settled = encoded(settlement);
    // A pack that an older release has prepared is whole.
    const goods = operation === 'pack' && body === '' ? 'pack' : undefined;
    const promised = receipt === null ? {} : promiseJson(promiseReceipt(receipt.receipt));
    return {
      status: 200,
      headers: { 'payment-response': settled, 'x-payment-response': settled },
      goods,
      body: closeJson(body, { ...promised, access }),
    };
  };
}

function paidAccessJson({ tx, payer, amount }: Paid): z.infer<typeof paidAccess> {
  return {
    tier: 'paid',
    charged_usd: formatUsd(microUsd(amount)),
    tx,
    asset: BASE_USDC,
    basescan_url: explorerUrl(BASE, tx) ?? '',
    payer,
  };
}

function settlementJson({ tx, payer }: Paid) {
  return { success: true, transaction: tx, network: BASE, payer } as const;
}

/** The header of a refused settlement: no money moved. */
export function refusedSettlement(reason: PaymentRefusal): string {
  return encoded({ success: false, errorReason: reason, transaction: '', network: BASE });
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64');
}
