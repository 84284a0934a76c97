import type { CrawlReceipt } from '../../../core/receipt/crawl-receipt.ts';
import { isSetAside } from '../../../core/verdict/skip-codes.ts';
import { addressKey } from '../../../core/x402/address.ts';
import type { Tables } from '../engine/tables.ts';

export type PartColumns = Pick<Tables['crawl_receipts'], 'payee' | 'replaced_payee' | 'set_aside'>;

/** The columns by which the rows of a payee are found and counted. */
export function partColumns({ payTo, listedPayTo, code }: CrawlReceipt): PartColumns {
  const payee = keyOf(payTo);
  const listed = keyOf(listedPayTo);
  return {
    payee,
    replaced_payee: payee === null || payee === listed ? null : listed,
    set_aside: isSetAside(code) ? 1 : null,
  };
}

function keyOf(address: string | null): string | null {
  return address === null ? null : addressKey(address);
}
