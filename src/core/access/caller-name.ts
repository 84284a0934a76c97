import { CALLER_NAME_MAX_CHARS } from '../limits.ts';

const NAME = new RegExp(`^[A-Za-z0-9._-]{1,${CALLER_NAME_MAX_CHARS}}$`);

/** A `client` or `ref` as it is compared: lower-case. Null when the caller must be told that it is malformed (gap G04). */
export function parseCallerName(text: string): string | null {
  return NAME.test(text) ? text.toLowerCase() : null;
}

const DRY_RUN_REF = /^dry-run-.+$/;

export type SpotCheckMode = 'live' | 'dry-run';

/** A ref of the form dry-run-<caller> asks for a dry run and wins over the mode that was sent (gap G09). */
export function spotCheckMode(mode: SpotCheckMode, ref: string | null): SpotCheckMode {
  return ref !== null && DRY_RUN_REF.test(ref) ? 'dry-run' : mode;
}
