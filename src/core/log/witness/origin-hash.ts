import { hash } from 'node:crypto';

/** Names a log in addresses and files, whatever characters its origin has. */
export function originHash(origin: string): string {
  return hash('sha256', origin, 'hex');
}
