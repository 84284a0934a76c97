import { privateKeyToAddress } from 'viem/accounts';
import { BOUNDS, type Evidence } from './evidence.ts';
import {
  askLate,
  type GatherParts,
  readLedger,
  readReceipts,
  readRunner,
  readRuns,
  readTransfers,
  replayAll,
  untilReconciled,
} from './gather.ts';
import { readLog } from './read-log.ts';

export async function gatherEvidence(
  parts: GatherParts,
  hasRunner: boolean,
): Promise<Omit<Evidence, 'taken' | 'held'>> {
  const { world, journal } = parts;
  const { surroundings } = world;
  const lateAnswers = await askLate(parts);
  const replays = await replayAll(parts, lateAnswers);
  const receipts = await readReceipts(parts);
  await untilReconciled(parts);
  const key = surroundings.buyerKeys.at(-1);
  return {
    journal,
    lateAnswers,
    replays,
    receipts,
    transfers: await readTransfers(parts),
    payTo: surroundings.payTo,
    ledger: await readLedger(parts),
    seen: (await surroundings.seen()).requests,
    runs: await readRuns(parts),
    listed: surroundings.sellers.length,
    runner: hasRunner && key !== undefined ? await readRunner(parts, privateKeyToAddress(key)) : null,
    log: await readLog(parts),
    bounds: BOUNDS,
  };
}
