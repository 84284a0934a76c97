import type { Purchase } from '../ledger/purchase.ts';
import { sha256 } from '../sha256.ts';
import type { EvidenceFacts } from './evidence-facts.ts';

/**
 * Claim of the draft extension `delivery-claim`, version 0.1 of 2026-09-28: specs/extensions/delivery-claim.md of
 * x402-foundation/x402, commit 61d6714. Without `signature`: the buyer signs the text of `claimId` (EIP-191).
 */
export interface DeliveryClaim extends ClaimContent {
  /** Null as long as the settlement is not known. */
  readonly claimId: string | null;
}

interface ClaimContent {
  readonly sellerAddress: string;
  readonly buyerAddress: string;
  readonly assetType: 'api-credits';
  readonly promisedSpec: { readonly method: string; readonly url: string; readonly termsSha256: string };
  readonly delivered: 'yes' | 'no';
  /** Of the JSON text of this evidence without its drafts. */
  readonly evidenceHash: string;
  readonly settlementRef: string | null;
  readonly timestamp: string;
}

export interface Claimed {
  readonly facts: EvidenceFacts;
  readonly delivered: 'yes' | 'no';
  readonly transaction: string | null;
}

/** Null when nothing was signed: then nobody is known to have bought. */
export function deliveryClaim(
  { authorization, method, url, termsSha256 }: Purchase,
  { facts, delivered, transaction }: Claimed,
): DeliveryClaim | null {
  if (authorization === null) return null;
  const content: ClaimContent = {
    sellerAddress: authorization.to.toLowerCase(),
    buyerAddress: authorization.from.toLowerCase(),
    assetType: 'api-credits',
    promisedSpec: { method, url, termsSha256 },
    delivered,
    evidenceHash: sha256(JSON.stringify(facts)),
    settlementRef: transaction,
    timestamp: facts.written_at,
  };
  const claimId = transaction === null ? null : `0x${sha256(canonicalJson(content))}`;
  return { ...content, claimId };
}

/** With sorted keys, as the draft hashes it. The content is our own and flat, so depth is no concern. */
function canonicalJson(content: object): string {
  const sorted = Object.entries(content).sort(([left], [right]) => (left < right ? -1 : 1));
  const members = sorted.map(([key, value]: [string, unknown]) => {
    const text = typeof value === 'object' && value !== null ? canonicalJson(value) : JSON.stringify(value);
    return `${JSON.stringify(key)}:${text}`;
  });
  return `{${members.join(',')}}`;
}
