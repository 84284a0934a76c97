import { setTimeout as wait } from 'node:timers/promises';
import { x402Facilitator } from '@x402/core/facilitator';
import { ExactEvmScheme } from '@x402/evm/exact/facilitator';
import type { Hex, PublicClient } from 'viem';
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
import {
  type Call,
  createSerialSender,
  type GasCeilings,
  GasTooHigh,
  type SerialSender,
} from './serial-sender.ts';

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
  const parts: Parts = { client, sender, pendingSettlementStore, contractPayers, settleMs };
  const settleOnce = sharedSettlement(parts);
  return {
    async verify(payment: Payment, charge: Charge) {
      const bridged = bridgePayment(payment, charge);
      if (bridged.kind === 'refused') return { kind: 'invalid', reason: bridged.reason };
      return within(timeoutMs, verifyNow(bridged.question, payment, parts), { kind: 'unavailable' });
    },
    async settle(payment: Payment, charge: Charge, maySend: MaySend) {
      const bridged = bridgePayment(payment, charge);
      if (bridged.kind === 'refused') return bridged;
      return within(settleMs, settleOnce(bridged.question, payment, maySend), { kind: 'unknown' });
    },
  };
}

/** What all calls share. */
interface Parts extends Required<Pick<BuiltInFacilitatorOptions, 'contractPayers' | 'settleMs'>> {
  readonly client: PublicClient;
  readonly sender: SerialSender;
  readonly pendingSettlementStore: ReturnType<typeof createPendingSettlements>;
}

async function verifyNow(
  { payload, requirements }: Question,
  payment: Payment,
  parts: Parts,
): Promise<Verification> {
  const isRefused = await isRefusedContract(payment, parts);
  if (isRefused === null) return { kind: 'unavailable' };
  if (isRefused) return { kind: 'invalid', reason: 'payer_has_code' };
  const { seen, facilitator } = newAttempt(parts, async () => false);
  const answer = await facilitator.verify(payload, requirements).catch(() => undefined);
  const verification = readVerification(answer, payment);
  return verification.kind === 'invalid' && seen.nodeFault ? { kind: 'unavailable' } : verification;
}

type Settle = (question: Question, payment: Payment, maySend: MaySend) => Promise<Settlement>;

/**
 * Concurrent calls with one payment are one settlement: a second transaction would only burn gas. A caller that joined an
 * attempt with an unknown outcome tries once more: the node may have recovered since.
 */
function sharedSettlement(parts: Parts): Settle {
  const shared = singleFlight<string, Settlement>();
  return async (question, payment, maySend) => {
    let isJoined = true;
    const settle = () =>
      shared(JSON.stringify(question), () => {
        isJoined = false;
        return settleNow(question, payment, maySend, parts);
      });
    const settlement = await settle();
    return isJoined && settlement.kind === 'unknown' ? settle() : settlement;
  };
}

async function settleNow(
  { payload, requirements }: Question,
  payment: Payment,
  maySend: MaySend,
  parts: Parts,
): Promise<Settlement> {
  const isRefused = await isRefusedContract(payment, parts);
  if (isRefused === null) return { kind: 'unknown' };
  if (isRefused) return { kind: 'refused', reason: 'payer_has_code' };
  const { seen, facilitator } = newAttempt(parts, maySend);
  const answer = await facilitator.settle(payload, requirements).catch(() => undefined);
  if (seen.reverted !== null) return { kind: 'reverted', tx: seen.reverted };
  if (seen.gasTooHigh) return { kind: 'refused', reason: 'gas_too_high' };
  const settlement = readSettlement(answer, payment);
  return settlement.kind === 'refused' && seen.nodeFault ? { kind: 'unknown' } : settlement;
}

/** Null without an answer of the node. */
async function isRefusedContract(payment: Payment, { client, contractPayers }: Parts) {
  return contractPayers === 'allow' ? false : payerHasCode(client, payment);
}

/** What the SDK does not pass on, or reports as something else. */
interface Seen {
  nodeFault: boolean;
  gasTooHigh: boolean;
  reverted: Hex | null;
}

/** One signer per call, so that what the node says is attributed to the call that heard it. */
function newAttempt({ client, sender, pendingSettlementStore, settleMs }: Parts, maySend: MaySend) {
  const seen: Seen = { nodeFault: false, gasTooHigh: false, reverted: null };
  const send = (call: Call) =>
    sender.send(call, maySend).catch((error: unknown) => {
      seen.gasTooHigh = error instanceof GasTooHigh;
      throw error;
    });
  const signer = createFacilitatorSigner({
    client,
    sender: { address: sender.address, send },
    confirmationMs: settleMs,
    onFault: () => {
      seen.nodeFault = true;
    },
    onReverted: (hash) => {
      seen.reverted = hash;
    },
  });
  // `registerExactEvmScheme` takes no pending-settlement store, so the scheme is built here.
  const scheme = new ExactEvmScheme(signer, { simulateInSettle: true, pendingSettlementStore });
  return { seen, facilitator: new x402Facilitator().register(BASE, scheme) };
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
