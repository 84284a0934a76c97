import { setTimeout as wait } from 'node:timers/promises';
import { x402Facilitator } from '@x402/core/facilitator';
import { ExactEvmScheme } from '@x402/evm/exact/facilitator';
import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { singleFlight } from '../../core/concurrency/single-flight.ts';
import { GAS_FEE_MAX_WEI, GAS_LIMIT_MAX } from '../../core/limits.ts';
import type { Payment } from '../../core/x402/payment-payload.ts';
import { BASE } from '../../core/x402/usdc-on-base.ts';
import type { Charge, Facilitator, MaySend, Settlement, Verification } from '../../ports/facilitator.ts';
import { createBaseClient } from './base-chain.ts';
import { createFacilitatorSigner } from './facilitator-signer.ts';
import { payerHasCode } from './payer-code.ts';
import { bridgePayment, type Question } from './payment-bridge.ts';
import { createPendingSettlements } from './pending-settlements.ts';
import { readSettlement, readVerification } from './read-answers.ts';
import { type Call, createSerialSender, type GasCeilings, GasTooHigh } from './serial-sender.ts';

export interface BuiltInFacilitatorOptions {
  readonly rpcUrl: string;
  /** The private key of the account that pays for gas; it never receives payments. */
  readonly gasKey: Hex;
  readonly ceilings?: GasCeilings;
  /** Whether a payer may be a contract, which can make our key pay for gas and not for a payment (gap L90). */
  readonly contractPayers?: 'refuse' | 'allow';
  /** For one call of the node, and for a verification as a whole. */
  readonly timeoutMs?: number;
  /** For a whole settlement: queue, transaction and block. */
  readonly settleMs?: number;
}

/** What a call has found out on the side. */
interface Attempt {
  faulty: boolean;
  needsTooMuchGas: boolean;
  reverted: Hex | null;
}

const CEILINGS: GasCeilings = { gas: BigInt(GAS_LIMIT_MAX), feeWei: BigInt(GAS_FEE_MAX_WEI) };

/** The SDK's facilitator in this process, with our own node and gas. */
export function createBuiltInFacilitator({
  rpcUrl,
  gasKey,
  ceilings = CEILINGS,
  contractPayers = 'refuse',
  timeoutMs = 10_000,
  settleMs = 30_000,
}: BuiltInFacilitatorOptions): Facilitator {
  const client = createBaseClient({ rpcUrl, timeoutMs });
  const sender = createSerialSender(client, privateKeyToAccount(gasKey), ceilings);
  const pendingSettlementStore = createPendingSettlements(client);
  const shared = singleFlight<string, Settlement>();

  /** One signer per call, so that what the node says is attributed to the call that heard it. */
  const newAttempt = (maySend: MaySend) => {
    const attempt: Attempt = { faulty: false, needsTooMuchGas: false, reverted: null };
    const send = (call: Call) =>
      sender.send(call, maySend).catch((error: unknown) => {
        attempt.needsTooMuchGas = error instanceof GasTooHigh;
        throw error;
      });
    const signer = createFacilitatorSigner({
      client,
      sender: { address: sender.address, send },
      confirmationMs: settleMs,
      onFault: () => {
        attempt.faulty = true;
      },
      onReverted: (hash) => {
        attempt.reverted = hash;
      },
    });
    // `registerExactEvmScheme` takes no pending-settlement store, so the scheme is built here.
    const scheme = new ExactEvmScheme(signer, { simulateInSettle: true, pendingSettlementStore });
    return { attempt, facilitator: new x402Facilitator().register(BASE, scheme) };
  };

  const isContract = async (payment: Payment) =>
    contractPayers === 'allow' ? false : payerHasCode(client, payment);

  const verifyNow = async ({ payload, requirements }: Question, payment: Payment): Promise<Verification> => {
    const hasCode = await isContract(payment);
    if (hasCode === null) return { kind: 'unavailable' };
    if (hasCode) return { kind: 'invalid', reason: 'payer_has_code' };
    const { attempt, facilitator } = newAttempt(async () => false);
    const answer = await facilitator.verify(payload, requirements).catch(() => undefined);
    const verification = readVerification(answer, payment);
    return verification.kind === 'invalid' && attempt.faulty ? { kind: 'unavailable' } : verification;
  };

  const settleNow = async (
    { payload, requirements }: Question,
    payment: Payment,
    maySend: MaySend,
  ): Promise<Settlement> => {
    const hasCode = await isContract(payment);
    if (hasCode === null) return { kind: 'unknown' };
    if (hasCode) return { kind: 'refused', reason: 'payer_has_code' };
    const { attempt, facilitator } = newAttempt(maySend);
    const answer = await facilitator.settle(payload, requirements).catch(() => undefined);
    if (attempt.reverted !== null) return { kind: 'reverted', tx: attempt.reverted };
    if (attempt.needsTooMuchGas) return { kind: 'refused', reason: 'gas_too_high' };
    const settlement = readSettlement(answer, payment);
    return settlement.kind === 'refused' && attempt.faulty ? { kind: 'unknown' } : settlement;
  };

  /**
   * Concurrent calls with one payment are one settlement: a second transaction would only burn gas. A caller that joined an
   * attempt with an unknown outcome tries once more: the node may have recovered since.
   */
  const settleOnce = async (question: Question, payment: Payment, maySend: MaySend): Promise<Settlement> => {
    let isJoined = true;
    const settle = () =>
      shared(JSON.stringify(question), () => {
        isJoined = false;
        return settleNow(question, payment, maySend);
      });
    const settlement = await settle();
    return isJoined && settlement.kind === 'unknown' ? settle() : settlement;
  };

  return {
    async verify(payment: Payment, charge: Charge) {
      const bridged = bridgePayment(payment, charge);
      if (bridged.kind === 'refused') return { kind: 'invalid', reason: bridged.reason };
      return within(timeoutMs, verifyNow(bridged.question, payment), { kind: 'unavailable' });
    },
    async settle(payment: Payment, charge: Charge, maySend: MaySend) {
      const bridged = bridgePayment(payment, charge);
      if (bridged.kind === 'refused') return bridged;
      return within(settleMs, settleOnce(bridged.question, payment, maySend), { kind: 'unknown' });
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
