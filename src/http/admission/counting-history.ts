import type { LiveReceiptStore } from '../../ports/live-receipts.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { HISTORY_READS } from './admission.ts';

interface ReadsReceipts {
  readonly receipts: LiveReceiptStore;
}

/** Whoever asks for another spelling, or for a page with a history, has up to forty statements read: the answer costs as much. */
export function countingHistory<Ports extends ReadsReceipts>(
  ports: Ports,
  { cost }: Pick<Exchange, 'cost'>,
): Ports {
  const { receipts } = ports;
  const reads = cost.reads + HISTORY_READS;
  return {
    ...ports,
    receipts: {
      ...receipts,
      async latestOf(...asked) {
        const found = await receipts.latestOf(...asked);
        if (found.length > 0) cost.reads = reads;
        return found;
      },
    },
  };
}
