import { hash } from 'node:crypto';
import type { UsedInput } from './listed-input.ts';
import type { PlannedRequest } from './probe-plan.ts';

/** What a receipt keeps of the input of a request; null for the bare URL. */
export function usedInput({ source, target, body }: PlannedRequest): UsedInput | null {
  if (source === null) return null;
  // A caller's input is all of the body; a listing may add to the query, too.
  const text =
    source === 'caller' ? body : [target.pathAndQuery, body].filter((part) => part !== null).join('\n');
  return { source, sha256: hash('sha256', text ?? '', 'hex') };
}
