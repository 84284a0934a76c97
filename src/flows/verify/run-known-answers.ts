import type { Service } from '../../core/catalog/read-catalog.ts';
import { isDatedAhead } from '../../core/is-dated-ahead.ts';
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
/** Calls that are read to find the last one whose date can be right. */
const LAST_CALLS = 60;

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
    if (!always && !isDue(ports.rule, service.id, await lastCalledAt(service, ports), ports.now()))
      return null;
    return await verifyService(service, ports);
  } finally {
    await ports.jobs.finish({ ...claim, now: ports.now() }, '{}');
  }
}

/** Calls that a wrong clock has dated ahead do not count, unless there are so many that nobody can tell. */
async function lastCalledAt({ id }: Service, { calls, now }: RunPorts): Promise<Date | null> {
  const last = (await calls.callsOf([id], LAST_CALLS)).get(id) ?? [];
  const dated = last.find(({ calledAt }) => !isDatedAhead(calledAt.getTime(), now()));
  const unknown = last.length < LAST_CALLS ? undefined : last.at(-1);
  return (dated ?? unknown)?.calledAt ?? null;
}

async function hasOpenCall({ id }: Service, { calls }: RunPorts): Promise<boolean> {
  return (await calls.unfinished(END_OF_TIME, OPEN_MAX)).some(({ serviceId }) => serviceId === id);
}

/** Also calls of a clock that was ahead are open. */
const END_OF_TIME = new Date(8.64e15);

/** Finishes calls that a crash or a slow seller left open: the chain knows whether they were paid. */
async function finishLeftovers(ports: RunPorts): Promise<void> {
  const now = ports.now();
  const isLeft = ({ calledAt }: UnfinishedCall) =>
    now.getTime() - calledAt.getTime() > UNFINISHED_MS || isDatedAhead(calledAt.getTime(), now);
  const open = await ports.calls.unfinished(END_OF_TIME, OPEN_MAX);
  for (const call of open.filter(isLeft).slice(0, UNFINISHED_MAX)) {
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
