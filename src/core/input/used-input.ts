import { hash } from 'node:crypto';
import type { UsedInput } from './listed-input.ts';
import type { PlannedRequest } from './probe-plan.ts';

/** What a receipt keeps of the input of a request; null for the bare URL. */
export function usedInput({ source, target, body }: PlannedRequest): UsedInput | null {
  return source === null ? null : { source, sha256: hash('sha256', body ?? target.pathAndQuery, 'hex') };
}
