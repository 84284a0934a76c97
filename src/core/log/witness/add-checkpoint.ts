import { decodeBase64, encodeBase64 } from '../base64.ts';
import { parseDecimal } from '../checkpoint.ts';
import { type Hash, isHash } from '../tree-hash.ts';

/** The body of a request for a cosignature (c2sp.org/tlog-witness). */
export interface AddCheckpoint {
  /** The size that the witness knows, as the log thinks. */
  readonly oldSize: number;
  readonly proof: readonly Hash[];
  /** The signed checkpoint. */
  readonly note: string;
}

const PROOF_MAX_LINES = 63;
const OLD = /^old ([0-9]+)$/;

export function addCheckpointText({ oldSize, proof, note }: AddCheckpoint): string {
  return [`old ${oldSize}`, ...proof.map(encodeBase64), '', note].join('\n');
}

/** Null for anything that is not exactly such a body; the note itself is not looked at. */
export function parseAddCheckpoint(body: string): AddCheckpoint | null {
  const blank = body.indexOf('\n\n');
  if (blank < 0) return null;
  const [first = '', ...lines] = body.slice(0, blank).split('\n');
  const oldSize = parseDecimal(OLD.exec(first)?.[1] ?? '');
  if (oldSize === null || lines.length > PROOF_MAX_LINES) return null;
  const proof: Hash[] = [];
  for (const line of lines) {
    const hash = decodeBase64(line);
    if (hash === null || !isHash(hash)) return null;
    proof.push(hash);
  }
  return { oldSize, proof, note: body.slice(blank + 2) };
}
