import { createRequire } from 'node:module';

/** RFC 8785 by another hand. Required, because its types describe another module than its code is. */
const canonicalize: unknown = createRequire(import.meta.url)('canonicalize');

export function canonical(value: unknown): string {
  if (typeof canonicalize !== 'function') throw new Error('canonicalize should be a function');
  return String(canonicalize(value));
}
