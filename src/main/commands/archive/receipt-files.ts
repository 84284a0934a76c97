import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeLiveReceipt } from '../../../adapters/store/receipts/receipt-codec.ts';
import type { Store } from '../../../adapters/store/store.ts';
import { writeDurably } from '../../../adapters/system/durable-file.ts';
import { isStatement } from '../../../core/statement/read-statement.ts';
import { proveEntry } from '../../../flows/log/prove-entry.ts';
import type { ReceiptFiles } from '../../../flows/operate/retire-receipts.ts';
import { linksAt } from '../../../wire/responses/links.ts';
import { liveReceiptJson } from '../../../wire/responses/live-receipt-json.ts';
import { proofJson } from '../../../wire/responses/proofs/proof-response.ts';

/** The files of one receipt, under the paths of the service; its proof is under the current checkpoint. */
export function receiptFiles(
  store: Pick<Store, 'transparencyLog'>,
  folder: string,
  base: string,
): ReceiptFiles {
  const links = linksAt(base);
  const receipts = join(folder, 'v1', 'receipts');
  return {
    async write({ id, body }) {
      // Written last.
      if (existsSync(join(receipts, `${id}.json`))) return;
      if (isStatement(body)) {
        // The store may no longer have the statement; the log has its entry.
        const proof = await proveEntry(id, store.transparencyLog);
        if (proof.kind !== 'proved')
          throw new Error(`the log has no proof of ${id} yet: start the service once`);
        await writeDurably(join(receipts, id, 'statement'), body);
        await writeDurably(
          join(receipts, id, 'proof'),
          JSON.stringify(proofJson({ statement: body, proof: proof.proof })),
        );
        await writeDurably(join(receipts, id, 'proof.tlog-proof'), proof.proof);
      }
      const json = liveReceiptJson(decodeLiveReceipt(body), links);
      await writeDurably(join(receipts, `${id}.json`), JSON.stringify(json));
    },
    async remove(id) {
      for (const name of [id, `${id}.json`]) await rm(join(receipts, name), { recursive: true, force: true });
    },
  };
}
