import type { Corrections, StoredCorrection } from '../../ports/log/corrections.ts';
import type { WithdrawalCounts, Withdrawals } from '../../ports/log/withdrawals.ts';

/** Corrections on a page. */
const PAGE_SIZE = 100;

export interface CorrectionPorts {
  readonly corrections: Pick<Corrections, 'newest' | 'of'>;
  readonly withdrawals: Pick<Withdrawals, 'find' | 'counts'>;
}

export interface CorrectionsPage {
  readonly corrections: readonly StoredCorrection[];
  readonly page: number;
  readonly hasNext: boolean;
  readonly withdrawals: WithdrawalCounts;
}

/** What was corrected, newest first, and how much was withdrawn. */
export async function listCorrections(page: number, ports: CorrectionPorts): Promise<CorrectionsPage> {
  const [found, withdrawals] = await Promise.all([
    // One more than shown tells whether there is a next page.
    ports.corrections.newest((page - 1) * PAGE_SIZE, PAGE_SIZE + 1),
    ports.withdrawals.counts(),
  ]);
  return {
    corrections: found.slice(0, PAGE_SIZE),
    page,
    hasNext: found.length > PAGE_SIZE,
    withdrawals,
  };
}
