import type { Verdict } from '../../core/verdict/verdict.ts';
import type { Corrections } from '../../ports/log/corrections.ts';
import type { SellerNotes } from '../seller/seller-notes.ts';

/** Corrections are rare, and the receipts shown are of the last runs. */
const CORRECTIONS_READ = 200;

export interface CorrectedPorts {
  readonly corrections: Pick<Corrections, 'newest'>;
}

/** What is right, by the ids of receipts whose verdict was wrong. */
export type RightVerdicts = ReadonlyMap<string, Verdict['verdict']>;

export async function rightVerdicts({ corrections }: CorrectedPorts): Promise<RightVerdicts> {
  const newest = await corrections.newest(0, CORRECTIONS_READ);
  // Of several about one receipt the newest stands.
  return new Map(newest.toReversed().map(({ receiptId, is }) => [receiptId, is]));
}

/** The notes of a page of receipts, and what is right where we were wrong. */
export async function withCorrections(notes: SellerNotes, ports: CorrectedPorts): Promise<SellerNotes> {
  const noted = new Map(notes);
  for (const [id, corrected] of await rightVerdicts(ports)) {
    noted.set(id, { ...(notes.get(id) ?? { checkedAgain: null, reply: null }), corrected });
  }
  return noted;
}
