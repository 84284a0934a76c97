import { CALLER_NAME_MAX_CHARS } from '../limits.ts';

const NAME = new RegExp(`^[A-Za-z0-9._-]{1,${CALLER_NAME_MAX_CHARS}}$`);

/** A `client` or `ref` in lower case, for comparison. Null when it is malformed, which the caller is told (gap G04). */
export function parseCallerName(text: string): string | null {
  return NAME.test(text) ? text.toLowerCase() : null;
}

const DRY_RUN_REF = /^dry-run-.+$/;

export type SpotCheckMode = 'live' | 'dry-run';

/** A ref of the form dry-run-<caller> asks for a dry run and overrides `mode` (gap G09). */
export function spotCheckMode(mode: SpotCheckMode, ref: string | null): SpotCheckMode {
  return ref !== null && DRY_RUN_REF.test(ref) ? 'dry-run' : mode;
}
