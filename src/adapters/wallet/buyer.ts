import { registerExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { type Hex, parseAbi } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { microUsd } from '../../core/money/micro-usd.ts';
import { asksForExactly, paysExactly } from '../../core/verdict/exact-terms.ts';
import { keepPayment, type Payment, readKeptPayment } from '../../core/x402/payment-payload.ts';
import { isJsonObject } from '../../core/x402/read-json.ts';
import type { Terms } from '../../core/x402/terms.ts';
import { BASE } from '../../core/x402/usdc-on-base.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Bought, Buyer, Goods, PurchaseRequest } from '../../ports/verify/own-calls.ts';
import { createBaseClient, USDC } from '../facilitator/base-chain.ts';
import { FetchFault } from '../probe/fetch-fault.ts';

export interface BuyerOptions extends Pick<Clock, 'now' | 'stopwatch'> {
  readonly key: Hex;
  readonly rpcUrl: string;
  /** Connects to sellers through the same gate as the prober. */
  readonly fetch: typeof globalThis.fetch;
}

const TOKEN = parseAbi(['function balanceOf(address) view returns (uint256)']);

/** The SDK's client, restricted to the approved terms: it requests the 402 once more, and the seller can lie again. */
export function createBuyer({ key, rpcUrl, fetch, now, stopwatch }: BuyerOptions): Buyer {
  const account = privateKeyToAccount(key);
  const node = createBaseClient({ rpcUrl });
  return {
    address: account.address,
    async balance() {
      try {
        const args = [account.address] as const;
        return microUsd(
          await node.readContract({ address: USDC, abi: TOKEN, functionName: 'balanceOf', args }),
        );
      } catch {
        return null;
      }
    },
    async pay(request, terms, onSigned) {
      if (terms.network !== BASE) return { kind: 'not_signed', why: 'terms_changed' };
      const signed: { payment?: Payment } = {};
      const client = guardedClient(terms, async (payment) => {
        if (!paysExactly(payment, terms, now())) throw new Error('something else was signed than approved');
        await onSigned(keepPayment(payment));
        signed.payment = payment;
      });
      registerExactEvmScheme(client, { signer: account });
      const startedAt = stopwatch();
      const reply = await buy(wrapFetchWithPayment(fetch, client), request);
      const latencyMs = Math.round(stopwatch() - startedAt);
      if (signed.payment === undefined) return { kind: 'not_signed', why: reasonOf(reply) };
      const goods = reply.kind === 'replied' ? reply.goods : null;
      const tooMuch = reply.kind === 'gave_up' && reply.tooMuch;
      return { kind: 'signed', payment: signed.payment, goods, tooMuch, latencyMs };
    },
  };
}

function guardedClient(terms: Terms, onSigned: (payment: Payment) => Promise<void>): x402Client {
  return new x402Client()
    .setSpendControls(false) // The terms are exact, and the caps are applied before the call.
    .registerPolicy((_, offers) =>
      offers.filter((offer) => isJsonObject(offer) && asksForExactly(offer, terms)),
    )
    .onBeforePaymentCreation(async ({ selectedRequirements: offer }) => {
      const isApproved = isJsonObject(offer) && asksForExactly(offer, terms);
      return isApproved ? undefined : { abort: true, reason: 'not what was approved' };
    })
    .onAfterPaymentCreation(async ({ paymentPayload }) => {
      const payment = readKeptPayment(JSON.stringify(paymentPayload));
      // Throwing here keeps the payment in this process.
      if (payment === null) throw new Error('what was signed cannot be read');
      await onSigned(payment);
    });
}

type Reply =
  | { readonly kind: 'replied'; readonly goods: Goods }
  /** The client gave up: because of the terms, or without an answer. */
  | { readonly kind: 'gave_up'; readonly overTerms: boolean; readonly tooMuch: boolean };

async function buy(
  fetchAndPay: ReturnType<typeof wrapFetchWithPayment>,
  { url, method, body }: PurchaseRequest,
): Promise<Reply> {
  try {
    const response = await fetchAndPay(url, {
      method,
      ...(body === null ? {} : { body, headers: { 'content-type': 'application/json' } }),
    });
    const bytes = new Uint8Array(await response.arrayBuffer());
    return { kind: 'replied', goods: { status: response.status, body: bytes } };
  } catch (fault) {
    return {
      kind: 'gave_up',
      overTerms: fault instanceof Error && /payment/i.test(fault.message),
      tooMuch: fault instanceof FetchFault && TOO_MUCH.has(fault.kind),
    };
  }
}

const TOO_MUCH: ReadonlySet<string> = new Set(['too_large', 'undecodable']);

function reasonOf(reply: Reply): Extract<Bought, { kind: 'not_signed' }>['why'] {
  if (reply.kind === 'replied') return 'no_challenge';
  return reply.overTerms ? 'terms_changed' : 'no_answer';
}
