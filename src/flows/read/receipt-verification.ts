import { readStatement } from '../../core/statement/read-statement.ts';
import { statementSha256 } from '../../core/statement/statement-hash.ts';
import type { LogReader } from '../../ports/log/transparency-log.ts';
import { type ReceiptPorts, statementById } from './read-receipts.ts';

/** What of a receipt anybody can verify. */
export interface Verification {
  readonly id: string;
  /** Of its statement, in base64, as in its entry. */
  readonly sha256: string;
  readonly rulesVersion: string;
  /** The log has the receipt of a check itself, and of a crawl its run. */
  readonly logged: 'receipt' | 'run';
  /** The number of the entry; null when the log does not have it. */
  readonly place: number | 'waiting' | null;
}

export interface VerificationPorts extends Pick<ReceiptPorts, 'receipts' | 'runs'> {
  readonly transparencyLog: Pick<LogReader, 'place'>;
}

/** Null for a receipt from before there were statements. */
export async function receiptVerification(
  id: string,
  ports: VerificationPorts,
): Promise<Verification | null> {
  const text = await statementById(id, ports);
  const statement = readStatement(text);
  if (statement === null) return null;
  const entry = statement.kind === 'live' ? id : `run:${statement.run}`;
  const place = await ports.transparencyLog.place(entry);
  return {
    id,
    sha256: Buffer.from(statementSha256(text)).toString('base64'),
    rulesVersion: statement.rulesVersion,
    logged: statement.kind === 'live' ? 'receipt' : 'run',
    place: place === null || place === 'waiting' ? place : place.index,
  };
}
