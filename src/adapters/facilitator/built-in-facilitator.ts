import { setTimeout as wait } from 'node:timers/promises';
import { x402Facilitator } from '@x402/core/facilitator';
import { ExactEvmScheme } from '@x402/evm/exact/facilitator';
import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { Payment } from '../../core/x402/payment-payload.ts';
import type { Charge, Facilitator, Settlement, Verification } from '../../ports/facilitator.ts';
import { createBaseClient, NETWORK } from './base-chain.ts';
import { createFacilitatorSigner } from './facilitator-signer.ts';
import { bridgePayment, type Question } from './payment-bridge.ts';
import { createPendingSettlements } from './pending-settlements.ts';
import { readSettlement, readVerification } from './read-answers.ts';
import { createSerialSender } from './serial-sender.ts';

export interface BuiltInFacilitatorOptions {
  readonly rpcUrl: string;
  /** The private key of the account that pays for gas; it never holds what buyers pay. */
  readonly gasKey: Hex;
  /** For one call of the node, and for a verification as a whole. */
  readonly timeoutMs?: number;
  /** For a settlement as a whole: its turn, its transaction, its block. */
  readonly settleMs?: number;
}

/** The SDK's facilitator in this process, on our own node and with our own gas. */
export function createBuiltInFacilitator({
  rpcUrl,
  gasKey,
  timeoutMs = 10_000,
  settleMs = 30_000,
}: BuiltInFacilitatorOptions): Facilitator {
  const client = createBaseClient({ rpcUrl, timeoutMs });
  const sender = createSerialSender(client, privateKeyToAccount(gasKey));
  const pendingSettlementStore = createPendingSettlements(client);
  const settling = new Map<string, Promise<Settlement>>();

  /** One per call, so that a fault of the node belongs to the call that met it. */
  const newAttempt = () => {
    const attempt = { faulty: false };
    const signer = createFacilitatorSigner({
      client,
      sender,
      confirmationMs: settleMs,
      onFault: () => {
        attempt.faulty = true;
      },
    });
    // By hand, because `registerExactEvmScheme` does not take the store that makes a repeated settlement wait for the first.
    const scheme = new ExactEvmScheme(signer, { simulateInSettle: true, pendingSettlementStore });
    return { attempt, facilitator: new x402Facilitator().register(NETWORK, scheme) };
  };

  const verifyNow = async ({ payload, requirements }: Question, payment: Payment): Promise<Verification> => {
    const { attempt, facilitator } = newAttempt();
    const answer = await facilitator.verify(payload, requirements).catch(() => undefined);
    const verification = readVerification(answer, payment);
    return verification.kind === 'invalid' && attempt.faulty ? { kind: 'unavailable' } : verification;
  };

  const settleNow = async ({ payload, requirements }: Question, payment: Payment): Promise<Settlement> => {
    const { attempt, facilitator } = newAttempt();
    const answer = await facilitator.settle(payload, requirements).catch(() => undefined);
    const settlement = readSettlement(answer, payment);
    return settlement.kind === 'refused' && attempt.faulty ? { kind: 'unknown' } : settlement;
  };

  /**
   * The same payment twice at once is one settlement: the second transaction would only burn gas. Whoever joined one that
   * ended without knowing looks again, once: the attempt was another's, and the node may have answered since.
   */
  const settleOnce = async (question: Question, payment: Payment): Promise<Settlement> => {
    const key = JSON.stringify(question);
    const joined = await settling.get(key);
    if (joined !== undefined && joined.kind !== 'unknown') return joined;
    const running = settling.get(key) ?? settleNow(question, payment).finally(() => settling.delete(key));
    settling.set(key, running);
    return running;
  };

  return {
    async verify(payment: Payment, charge: Charge) {
      const bridged = bridgePayment(payment, charge);
      if (bridged.kind === 'refused') return { kind: 'invalid', reason: bridged.reason };
      return within(timeoutMs, verifyNow(bridged.question, payment), { kind: 'unavailable' });
    },
    async settle(payment: Payment, charge: Charge) {
      const bridged = bridgePayment(payment, charge);
      if (bridged.kind === 'refused') return bridged;
      return within(settleMs, settleOnce(bridged.question, payment), { kind: 'unknown' });
    },
  };
}

async function within<T>(milliseconds: number, work: Promise<T>, otherwise: T): Promise<T> {
  const done = new AbortController();
  const late = wait(milliseconds, otherwise, { signal: done.signal, ref: false }).catch(() => otherwise);
  try {
    return await Promise.race([work, late]);
  } finally {
    done.abort();
  }
}
