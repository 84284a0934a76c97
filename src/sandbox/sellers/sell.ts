import { type Payment, readPayment } from '../../core/x402/payment-payload.ts';
import { isJsonObject, member, parseJson } from '../../core/x402/read-json.ts';
import type { Facilitator } from '../../ports/facilitator.ts';
import type { LoopbackAnswer, LoopbackRequest } from '../loopback-server.ts';
import type { MakeGoods } from './known-answers.ts';
import { base64, type Challenge, sellerChallenge } from './seller-challenge.ts';

export interface Sale extends Omit<Challenge, 'error'> {
  readonly makeGoods: MakeGoods;
  readonly facilitator: Facilitator;
}

/** Verify, make the goods, settle, deliver: a failure costs the buyer nothing, and delivered goods are paid for. */
export async function sell(request: LoopbackRequest, sale: Sale): Promise<LoopbackAnswer> {
  const reading = readPayment({
    paymentSignature: request.header('payment-signature'),
    xPayment: request.header('x-payment'),
  });
  if (reading.kind === 'none') return sellerChallenge({ ...sale, error: 'Payment required' });
  if (reading.kind !== 'payment') return sellerChallenge({ ...sale, error: 'payment_malformed' });
  const { payment } = reading;
  const charge = { amount: sale.terms.amount, payTo: sale.terms.payTo };
  const verified = await sale.facilitator.verify(payment, charge);
  if (verified.kind === 'unavailable') return json(503, { error: 'facilitator_unavailable' });
  if (verified.kind === 'invalid') return sellerChallenge({ ...sale, error: verified.reason });
  const goods = sale.makeGoods(questionIn(request));
  if (goods.kind === 'bad_question') return json(400, { error: goods.error });
  const settled = await sale.facilitator.settle(payment, charge, async () => true);
  if (settled.kind === 'unknown') return json(503, { error: 'settlement_pending' });
  if (settled.kind === 'reverted') return sellerChallenge({ ...sale, error: settled.kind });
  if (settled.kind === 'refused') return sellerChallenge({ ...sale, error: settled.reason });
  return json(200, goods.body, receiptFields(payment, settled));
}

/** From the query, else from a JSON body. */
function questionIn({ path, body }: LoopbackRequest): (name: string) => string | null {
  const query = new URL(path, 'http://127.0.0.1').searchParams;
  const document = parseJson(body);
  return (name) => {
    const value = isJsonObject(document) ? member(document, name) : undefined;
    const sent = typeof value === 'string' || typeof value === 'number' ? String(value) : null;
    return query.get(name) ?? sent;
  };
}

/** In the header of x402 version 2 and in that of version 1. */
function receiptFields(
  { network }: Payment,
  { tx, payer }: { readonly tx: string; readonly payer: string },
): Readonly<Record<string, string>> {
  const receipt = base64({ success: true, transaction: tx, network, payer });
  return { 'payment-response': receipt, 'x-payment-response': receipt };
}

function json(status: number, body: object, headers: Readonly<Record<string, string>> = {}): LoopbackAnswer {
  return { kind: 'json', status, body: JSON.stringify(body), headers };
}
