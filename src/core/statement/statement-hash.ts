import { hash } from 'node:crypto';
import { entryText } from '../log/entry.ts';

/** What the log commits to: the bytes of a statement as they are stored and served. */
export function statementSha256(statement: string): Uint8Array {
  return hash('sha256', statement, 'buffer');
}

/** The entry of the receipt of a check. */
export function receiptEntry(id: string, statement: string): string {
  return entryText({ kind: 'receipt', id, sha256: statementSha256(statement) });
}
