import { isSameAddress } from '../../core/x402/address.ts';
import { parseNetwork } from '../../core/x402/networks.ts';
import type { Payment } from '../../core/x402/payment-payload.ts';
import { isJsonObject, member, textMember } from '../../core/x402/read-json.ts';
import type { Settlement, Verification } from '../../ports/facilitator.ts';
import { isTrouble, refusalOf } from './refusal-codes.ts';

const TRANSACTION = /^0x[0-9a-fA-F]{64}$/;
const NO_TRANSACTION = /^0x0{64}$/;
const TEXT = /^[\s\S]{1,128}$/;

/** The facilitator's verification of a payment. Only known codes are passed on, as our own. */
export function readVerification(answer: unknown, { authorization: { from } }: Payment): Verification {
  if (!isJsonObject(answer)) return { kind: 'unavailable' };
  const isValid = member(answer, 'isValid');
  if (isValid === true) {
    const payer = textMember(answer, 'payer', TEXT);
    return payer === null || isSameAddress(payer, from)
      ? { kind: 'valid', payer: from }
      : { kind: 'unavailable' };
  }
  const code = member(answer, 'invalidReason');
  if (isValid !== false || isTrouble(code)) return { kind: 'unavailable' };
  return { kind: 'invalid', reason: refusalOf(code) ?? 'refused' };
}

/**
 * The facilitator's settlement. A success must name our network, the payer and a transaction. A refusal must have a code that is
 * only used before anything is sent, and no transaction. Anything else is unknown.
 */
export function readSettlement(answer: unknown, { network, authorization: { from } }: Payment): Settlement {
  if (!isJsonObject(answer)) return { kind: 'unknown' };
  const success = member(answer, 'success');
  const tx = textMember(answer, 'transaction', TRANSACTION);
  if (success === true) {
    const payer = textMember(answer, 'payer', TEXT);
    const named = textMember(answer, 'network', TEXT);
    const isOurs =
      payer !== null && isSameAddress(payer, from) && named !== null && parseNetwork(named) === network;
    return isOurs && tx !== null && !NO_TRANSACTION.test(tx)
      ? { kind: 'settled', tx: tx.toLowerCase(), payer: from }
      : { kind: 'unknown' };
  }
  const reason = refusalOf(member(answer, 'errorReason'));
  const sent = member(answer, 'transaction') ?? '';
  return success === false && sent === '' && reason !== null
    ? { kind: 'refused', reason }
    : { kind: 'unknown' };
}
