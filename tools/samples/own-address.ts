import { hash } from 'node:crypto';

/** A public address for each name, so that the limits of one address do not slow down the many hosts of a test. */
export function ownAddress(name: string): string {
  return `93.${hash('sha256', name, 'buffer').subarray(0, 3).join('.')}`;
}
