import type { Hex } from 'viem';
import { createGatedFetch } from '../../adapters/probe/gated-fetch.ts';
import { createReferenceSource } from '../../adapters/references/reference-source.ts';
import type { Store } from '../../adapters/store/store.ts';
import { currentPayee } from '../../core/catalog/payee-rotation.ts';
import type { RunPorts } from '../../flows/verify/run-known-answers.ts';
import type { Clock } from '../../ports/clock.ts';
import type { AuthorizationLog } from '../../ports/facilitator.ts';
import type { Outbound } from './outbound.ts';

export interface RunnerSetting extends Clock {
  readonly store: Pick<Store, 'paidCalls' | 'jobs'>;
  readonly outbound: Outbound;
  readonly authorizationLog: AuthorizationLog;
  readonly rpcUrl: string;
  /** Null for a dry run; then no signing code is loaded. */
  readonly buyerKey: Hex | null;
  readonly caps: RunPorts['caps'];
  readonly entropy: (bytes: number) => Uint8Array;
}

const CALL_MS = 30_000;
/** Grading searches the whole answer, so a huge one would take seconds of processor time. */
const ANSWER_MAX_BYTES = 1_048_576;
const DAY_MS = 86_400_000;
const ID_BYTES = 12;

/** The known-answer runner: the only part of the program that ever holds a buyer's key. */
export async function createRunner(parts: RunnerSetting): Promise<Omit<RunPorts, 'onVerified' | 'onFault'>> {
  const { store, outbound, authorizationLog, rpcUrl, buyerKey, caps, now, wait, stopwatch } = parts;
  const { isSignedBy } = await import('../../adapters/wallet/signed-text.ts');
  const fetch = createGatedFetch({ ...outbound, timeoutMs: CALL_MS, maxBytes: ANSWER_MAX_BYTES });
  return {
    prober: outbound.prober,
    calls: store.paidCalls,
    jobs: store.jobs,
    buyer: buyerKey === null ? null : await openBuyer({ key: buyerKey, rpcUrl, fetch, now, stopwatch }),
    references: createReferenceSource({ ...outbound, fetch, rpcUrl, now }),
    authorizationLog,
    caps,
    payeeOf: (service) => currentPayee(service, service.payeeRotations, isSignedBy),
    rule: { everyMs: DAY_MS, jitterMs: DAY_MS / 12 },
    now,
    wait,
    newId: () => Buffer.from(parts.entropy(ID_BYTES)).toString('hex'),
  };
}

async function openBuyer(
  options: Parameters<typeof import('../../adapters/wallet/buyer.ts').createBuyer>[0],
) {
  const { createBuyer } = await import('../../adapters/wallet/buyer.ts');
  return createBuyer(options);
}
