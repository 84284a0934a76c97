import type { Allowance } from './allowances.ts';
import type { Answer } from './connection.ts';
import type { Journal } from './journal.ts';

/** One request that is ready to go. */
export interface Prepared {
  readonly operation: string;
  readonly text: string;
  readonly wantsBody: boolean;
  /** Its answer waits for the facilitator and the chain. */
  readonly isPurchase?: boolean;
  /** The row that the answer counts in; null when nobody expected it. */
  answered(answer: Answer | null): string | null;
}

export interface Operation {
  readonly name: string;
  /** In thousandths of all requests. */
  readonly weight: number;
  /** Null when it has nothing to ask with just now. */
  prepare(): Omit<Prepared, 'operation'> | null;
}

/** Every answered check has a receipt, which is asked for later. */
export function noteReceipt(journal: Journal, { body }: Answer, url: string): void {
  const id = /"receipt_id":"(sc-[0-9a-f]{16})"/.exec(body)?.[1];
  if (id === undefined) journal.unexpected(`an answered check without a receipt: ${body.slice(-300)}`);
  else journal.acknowledged(id, url);
}

/** A request with one right answer. */
export function only(row: string, status: number, text: string): Omit<Prepared, 'operation'> {
  return { text, wantsBody: false, answered: (answer) => (answer?.status === status ? row : null) };
}

/** A request of which so many are granted and one more is refused. */
export function metered(
  row: string,
  refusal: number,
  allowance: Allowance,
  textOf: (caller: number) => string,
) {
  const caller = allowance.next();
  return {
    caller,
    text: textOf(caller),
    wantsBody: false,
    answered(answer: Answer | null): string | null {
      if (answer?.status !== 200 && answer?.status !== refusal) {
        allowance.lost(caller);
        return null;
      }
      allowance.answered(caller, answer.status === 200);
      return answer.status === 200 ? row : `${row}, past its quota`;
    },
  };
}
