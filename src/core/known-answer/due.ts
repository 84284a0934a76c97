import { hash } from 'node:crypto';

/** How often a service is paid for a call. */
export interface DueRule {
  readonly everyMs: number;
  /** Jitter in either direction, so that services are not all called at once or always at the same hour. */
  readonly jitterMs: number;
}

/** The jitter is derived from the service and its last call, so repeated questions get the same answer. */
export function isDue(
  { everyMs, jitterMs }: DueRule,
  serviceId: string,
  lastCalledAt: Date | null,
  now: Date,
): boolean {
  if (lastCalledAt === null) return true;
  const digest = hash('sha256', `${serviceId} ${lastCalledAt.getTime()}`, 'hex').slice(0, 8);
  const share = Number.parseInt(digest, 16) / 0xff_ff_ff_ff; // 0 to 1
  const late = Math.round((2 * share - 1) * jitterMs);
  return now.getTime() - lastCalledAt.getTime() >= everyMs + late;
}
