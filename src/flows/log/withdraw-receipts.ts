import type { WithdrawalReason } from '../../core/log/entry.ts';
import type { Withdrawal } from '../../core/statement/withdrawal-stub.ts';
import type { Withdrawals } from '../../ports/log/withdrawals.ts';
import { type ReceiptPorts, statementById } from '../read/read-receipts.ts';

export interface WithdrawPorts extends Pick<ReceiptPorts, 'receipts' | 'runs'> {
  readonly withdrawals: Withdrawals;
}

export interface WantedWithdrawal {
  readonly id: string;
  readonly because: WithdrawalReason;
  readonly at: Date;
  /** Every receipt of the same URL as well. */
  readonly isOfUrl: boolean;
}

export type Withdrawn =
  | {
      readonly kind: 'withdrawn';
      readonly withdrawals: readonly Withdrawal[];
      /** Receipts of the same URL that are still there. */
      readonly others: readonly string[];
      readonly isBeingCrawled: boolean;
      /** The store did not have its text any more. */
      readonly isArchived: boolean;
    }
  | { readonly kind: 'already'; readonly withdrawal: Withdrawal }
  | { readonly kind: 'unknown_receipt' };

/** Named in one answer; a URL with more has been checked for years. */
const OTHERS_MAX = 1_000;

/** Takes a receipt back, or all receipts of its URL. */
export async function withdrawReceipts(wanted: WantedWithdrawal, ports: WithdrawPorts): Promise<Withdrawn> {
  const { id, because, at, isOfUrl } = wanted;
  const { withdrawals } = ports;
  const known = await withdrawals.find(id);
  if (known !== null) return { kind: 'already', withdrawal: known };
  const isStored = (await statementById(id, ports)) !== 'unknown_receipt';
  const gone = isOfUrl && isStored ? await withdrawOthers(wanted, withdrawals) : [];
  const same = await withdrawals.sameUrl(id, OTHERS_MAX);
  const withdrawal = await withdrawals.withdraw(id, because, at);
  if (withdrawal === null) return { kind: 'unknown_receipt' };
  return {
    kind: 'withdrawn',
    withdrawals: [withdrawal, ...gone],
    others: same?.ids ?? [],
    isBeingCrawled: same?.isBeingCrawled ?? false,
    isArchived: !isStored,
  };
}

/** The receipt itself goes last: by it the others are found. */
async function withdrawOthers(
  { id, because, at }: WantedWithdrawal,
  withdrawals: Withdrawals,
): Promise<readonly Withdrawal[]> {
  const gone: Withdrawal[] = [];
  for (;;) {
    const ids = (await withdrawals.sameUrl(id, OTHERS_MAX))?.ids ?? [];
    const before = gone.length;
    for (const other of ids) {
      const withdrawal = await withdrawals.withdraw(other, because, at);
      if (withdrawal !== null) gone.push(withdrawal);
    }
    if (gone.length === before || ids.length < OTHERS_MAX) return gone;
  }
}
