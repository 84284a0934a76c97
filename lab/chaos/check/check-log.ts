import type { Evidence } from '../evidence.ts';
import { type Violation, violation } from './violation.ts';

/** The log is what everybody was told that it is. */
export function checkLog({ log, journal }: Evidence): Violation[] {
  if (log === null) return [];
  const { size, faults, hashes, strays } = log;
  const lost = [...journal.receipts].filter((id) => !hashes.has(id));
  const other = [...journal.promised].filter(([id, sha256]) => hashes.has(id) && hashes.get(id) !== sha256);
  return [
    ...faults.map((fault) => violation('the log is not sound', { fault, size })),
    ...strays.map((checkpoint) =>
      violation('a checkpoint that a client got is not part of the log', { checkpoint }),
    ),
    ...lost.map((id) => violation('a receipt that was acknowledged is not in the log', { id })),
    ...other.map(([id, sha256]) =>
      violation('the log has another hash than was promised', { id, sha256, log: hashes.get(id) }),
    ),
  ];
}
