import { textMember } from '../../core/x402/read-json.ts';
import type { EvidenceFacts } from './evidence-facts.ts';

const HASH = /^0x[0-9a-fA-F]{64}$/;

/** The settlement: as the chain showed it, else as the seller named it. */
export function transactionOf({ chain, answer }: EvidenceFacts): string | null {
  const decoded = answer?.payment_response?.decoded ?? null;
  return chain?.transaction ?? (decoded === null ? null : textMember(decoded, 'transaction', HASH));
}
