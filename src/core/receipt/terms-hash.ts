import { hash } from 'node:crypto';
import { type Terms, termsText } from '../x402/terms.ts';

/** Apart from the terms: the judge, which reads them, runs where there is no `node:crypto`, too. */
export function termsSha256(terms: Terms): string {
  return hash('sha256', termsText(terms), 'hex');
}
