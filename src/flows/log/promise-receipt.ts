import type { LiveReceipt } from '../../core/receipt/live-receipt.ts';
import { statementOfLive } from '../../core/statement/stated-live.ts';
import { statementSha256 } from '../../core/statement/statement-hash.ts';
import type { LogKeeper } from './keep-log.ts';

/** What a caller needs to prove later that a receipt was left out of the log, or changed. */
export interface ReceiptPromise {
  readonly sha256: Uint8Array;
  /** A signed note; null while the log cannot promise. */
  readonly note: string | null;
}

/** Of its statement, which is written unless it is given. Null for a receipt without one, which an older release prepared. */
export type PromiseReceipt = (receipt: LiveReceipt, statement?: string | null) => ReceiptPromise | null;

/** Signed when the answer is final: an answer that was settled hours later would carry a promise that is over. */
export function createPromiseReceipt(keeper: Pick<LogKeeper, 'promise'>, now: () => Date): PromiseReceipt {
  return (receipt, statement = statementOfLive(receipt)) => {
    if (statement === null) return null;
    const sha256 = statementSha256(statement);
    return { sha256, note: keeper.promise(receipt.id, sha256, now()) };
  };
}
