import { expect } from 'vitest';
import {
  type Reconciled,
  type ReconcilePorts,
  reconcilePayments,
} from '../../../src/flows/pay/reconcile-payments.ts';
import type { LocalChain } from '../../../src/sandbox/chain/local-chain.ts';
import { createFinishPaidAnswer } from '../../../src/wire/payment/paid-answer.ts';
import { expectProblem } from '../asking.ts';
import type { Received } from '../running/running-service.ts';
import { logAt } from './moved-log.ts';
import type { PayingService } from './paying-service.ts';

/** One round of the reconciler of this service, which waits for nobody; throws what it would only log. */
export async function reconcile(
  chain: LocalChain,
  { store, facilitator, clock }: Pick<PayingService, 'store' | 'facilitator' | 'clock'>,
  changes: Partial<ReconcilePorts> = {},
): Promise<Reconciled> {
  const faults: unknown[] = [];
  const now = () => new Date(Date.now() + clock.aheadMs);
  const ports: ReconcilePorts = {
    ledger: store.payments,
    facilitator,
    authorizationLog: logAt(chain.rpcUrl, now),
    finish: createFinishPaidAnswer(() => null),
    clock: { now },
    onFault: (fault) => faults.push(fault),
    onUnreadable: ({ key }) => faults.push(new Error(`${key} cannot be read`)),
    ...changes,
  };
  const reconciled = await reconcilePayments(ports, 0);
  if (faults.length > 0) throw faults[0];
  return reconciled;
}

/** Neither yes nor no: the buyer is asked for the same payment, never for a new one (gap G64). */
export function expectPending(answer: Received): void {
  expectProblem(answer, 503, 'settlement_pending');
  expect(answer.header('retry-after')).toBe('5');
  expect(answer.json.detail).toContain('the same payment');
  for (const name of ['payment-required', 'payment-response', 'x-payment-response']) {
    expect(answer.header(name)).toBeNull();
  }
}

/** The bytes and the settlement are those of the first time. */
export function expectSameAnswer(again: Received, first: Received): void {
  expect([again.status, again.text]).toEqual([200, first.text]);
  for (const name of ['payment-response', 'x-payment-response', 'content-type', 'cache-control']) {
    expect(again.header(name)).toBe(first.header(name));
  }
}
