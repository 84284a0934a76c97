import type { WithdrawalReason } from '../log/entry.ts';

/** What is left of a receipt that was withdrawn. */
export interface Withdrawal {
  readonly id: string;
  /** Of the statement that is gone, in base64, as in its entry. */
  readonly sha256: string;
  readonly because: WithdrawalReason;
  readonly at: Date;
}

/** What is public about it: not its URL, nor anything that was seen there. */
export function withdrawalStub({ id, sha256, because, at }: Withdrawal) {
  return { assay: 'withdrawn/1', at: at.toISOString(), because, id, sha256 } as const;
}
