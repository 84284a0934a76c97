import { whileHeld } from '../../core/concurrency/while-held.ts';
import type { Clock } from '../../ports/clock.ts';
import type { JobStore } from '../../ports/job-store.ts';
import { type RetirePorts, retireReceipts } from './retire-receipts.ts';

export interface AlonePorts extends Omit<RetirePorts, 'keepHold'>, Pick<Clock, 'now' | 'wait'> {
  readonly jobs: Pick<JobStore, 'claim' | 'save' | 'finish'>;
  readonly newId: () => string;
}

const RETIRE_JOB = 'retire';
const LEASE_MS = 60_000;

/** Retires receipts under a lease of the database: two runs, on whatever machines, would each archive a part. */
export async function retireAlone(before: Date, ports: AlonePorts): Promise<'retired' | 'held_elsewhere'> {
  const { jobs, now } = ports;
  const holder = ports.newId();
  const claim = () => ({ name: RETIRE_JOB, holder, now: now(), leaseMs: LEASE_MS });
  if ((await jobs.claim(claim())) === null) return 'held_elsewhere';
  const keepHold = async () => {
    if (!(await jobs.save(claim(), '{}')))
      throw new Error('another run has begun meanwhile: this one had stopped for longer than a minute');
  };
  try {
    await whileHeld(retireReceipts(before, { ...ports, keepHold }), keepHold, ports);
    return 'retired';
  } finally {
    await jobs.finish(claim(), '{}');
  }
}
