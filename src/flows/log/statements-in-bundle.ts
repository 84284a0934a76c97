import { encodeBase64 } from '../../core/log/base64.ts';
import { type LogEntry, parseEntry } from '../../core/log/entry.ts';
import { runOfTree } from '../../core/log/run-tree.ts';
import { TILE_WIDTH } from '../../core/log/tile.ts';
import { retiredStub } from '../../core/statement/retired-stub.ts';
import { withdrawalStub } from '../../core/statement/withdrawal-stub.ts';
import type { LiveReceiptStore } from '../../ports/live-receipts.ts';
import type { LogReader } from '../../ports/log/transparency-log.ts';
import type { Withdrawals } from '../../ports/log/withdrawals.ts';

export interface StatementPorts {
  readonly transparencyLog: Pick<LogReader, 'entries' | 'runStatements'>;
  readonly receipts: Pick<LiveReceiptStore, 'statements'>;
  readonly withdrawals: Pick<Withdrawals, 'among'>;
}

const NOTHING = 'null';

/** The statements behind the entries of one bundle, in their order; a stub for a withdrawn or retired one, `null` for other entries. */
export async function statementsInBundle(
  tree: string,
  bundle: number,
  { transparencyLog, receipts, withdrawals }: StatementPorts,
): Promise<readonly string[]> {
  const run = runOfTree(tree);
  if (run !== null) return transparencyLog.runStatements(run, bundle * TILE_WIDTH, TILE_WIDTH);
  const entries = await transparencyLog.entries(tree, bundle * TILE_WIDTH, TILE_WIDTH);
  const logged = entries.map(({ entry }) => receiptIn(entry));
  const asked = logged.flatMap((receipt) => (receipt === null ? [] : [receipt.id]));
  const known = await receipts.statements(asked);
  const missing = asked.filter((id) => !known.has(id));
  const stubs = new Map(
    (await withdrawals.among(missing)).map((one) => [one.id, JSON.stringify(withdrawalStub(one))]),
  );
  return logged.map((receipt) => {
    if (receipt === null) return NOTHING;
    const { id, sha256 } = receipt;
    return known.get(id) ?? stubs.get(id) ?? JSON.stringify(retiredStub(id, encodeBase64(sha256)));
  });
}

function receiptIn(entry: string): Extract<LogEntry, { kind: 'receipt' }> | null {
  const read = parseEntry(entry);
  return read?.kind === 'receipt' ? read : null;
}
