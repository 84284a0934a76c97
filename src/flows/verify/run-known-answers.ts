import type { Service } from '../../core/catalog/read-catalog.ts';
import { type DueRule, isDue } from '../../core/known-answer/due.ts';
import { finishedCall, unsignedCall } from '../../core/known-answer/finished-call.ts';
import { readNote } from '../../core/known-answer/open-call.ts';
import { readKeptPayment } from '../../core/x402/payment-payload.ts';
import type { JobStore } from '../../ports/job-store.ts';
import type { UnfinishedCall } from '../../ports/paid-calls.ts';
import { settlementNow } from './find-settlement.ts';
import { type Verified, type VerifyPorts, verifyService } from './verify-service.ts';

export interface RunPorts extends VerifyPorts {
  readonly jobs: JobStore;
  /** Called for every service that was checked. */
  readonly onVerified: (service: Service, verified: Verified) => void;
  readonly rule: DueRule;
  readonly onFault: (fault: unknown) => void;
}

export interface RoundOptions {
  /** These services, due or not; null for all that are due. */
  readonly only: readonly Service[] | null;
  /** Checked before each service; a call in progress is finished. */
  readonly isStopped?: () => boolean;
}

/** Longer than a call can take; a runner that died frees its service after this. */
const HELD_MS = 300_000;
/** Older calls are not in progress in another runner. */
const UNFINISHED_MS = 600_000;
const UNFINISHED_MAX = 100;
const OPEN_MAX = 10_000;
const DAY_MS = 86_400_000;

/** One service after the other, so that spending is counted and no two runners call a seller at once. */
export async function runKnownAnswers(
  services: readonly Service[],
  { only, isStopped = () => false }: RoundOptions,
  ports: RunPorts,
): Promise<readonly Verified[]> {
  await finishLeftovers(ports);
  const results: Verified[] = [];
  for (const service of only ?? services) {
    if (isStopped()) break;
    const verified = await inTurn(service, only !== null, ports);
    if (verified === null) continue;
    results.push(verified);
    ports.onVerified(service, verified);
    if (verified.kind === 'capped') break;
  }
  return results;
}

/** Null when another runner holds it, or when it is not due. */
async function inTurn(service: Service, always: boolean, ports: RunPorts): Promise<Verified | null> {
  const claim = {
    name: `verify:${service.id}`,
    holder: ports.newId(),
    now: ports.now(),
    leaseMs: HELD_MS,
  };
  const held = await ports.jobs.claim(claim);
  if (held === null) return null;
  try {
    // Read under the claim: another runner may have just finished.
    // A seller that may still settle the last call gets no further one.
    if (ports.buyer !== null && (await hasOpenCall(service, ports))) return always ? { kind: 'open' } : null;
    const last = (await ports.calls.callsOf([service.id], 1)).get(service.id)?.[0] ?? null;
    if (!always && !isDue(ports.rule, service.id, last?.calledAt ?? null, ports.now())) return null;
    return await verifyService(service, ports);
  } finally {
    await ports.jobs.finish({ ...claim, now: ports.now() }, '{}');
  }
}

async function hasOpenCall({ id }: Service, { calls, now }: RunPorts): Promise<boolean> {
  const tomorrow = new Date(now().getTime() + DAY_MS);
  return (await calls.unfinished(tomorrow, OPEN_MAX)).some(({ serviceId }) => serviceId === id);
}

/** Finishes calls that a crash or a slow seller left open: the chain knows whether they were paid. */
async function finishLeftovers(ports: RunPorts): Promise<void> {
  const before = new Date(ports.now().getTime() - UNFINISHED_MS);
  for (const call of await ports.calls.unfinished(before, UNFINISHED_MAX)) {
    // Another runner may have finished it meanwhile, and one fault must not stop the rest.
    await finishLeftover(call, ports).catch(ports.onFault);
  }
}

async function finishLeftover({ id, calledAt, payTo, note }: UnfinishedCall, ports: RunPorts): Promise<void> {
  const open = note === null ? null : readNote(note);
  const payment = open === null ? null : readKeptPayment(open.payment);
  if (open === null || payment === null) {
    // Nothing was signed: the note is stored before the payment is sent.
    await ports.calls.finish(id, unsignedCall(calledAt), { bodySha256: null, body: null });
    return;
  }
  const settlement = await settlementNow(payment.authorization, ports.authorizationLog);
  if (settlement === null) return;
  const { result } = open;
  const evidence = { bodySha256: result?.bodySha256 ?? null, body: result?.body ?? null };
  await ports.calls.finish(id, finishedCall({ calledAt, payTo, result, settlement }), evidence);
}
