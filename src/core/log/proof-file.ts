import { decodeBase64, encodeBase64 } from './base64.ts';
import { parseCheckpoint, parseDecimal } from './checkpoint.ts';
import { noteText } from './note.ts';
import { type Hash, isHash } from './tree-hash.ts';

export interface ProofFile {
  readonly index: number;
  readonly proof: readonly Hash[];
  /** The signed note of the checkpoint, verbatim. */
  readonly checkpoint: string;
  /** Not authenticated by anything. */
  readonly extra: Uint8Array | null;
}

const HEADER = 'c2sp.org/tlog-proof@v1';
const TEXT_MAX_CHARS = 393_216;
const PROOF_MAX_HASHES = 63;

/** An inclusion proof that needs no network to verify (c2sp.org/tlog-proof). */
export function proofFileText(file: Omit<ProofFile, 'extra'> & { readonly extra?: Uint8Array }): string {
  const { index, proof, checkpoint, extra } = file;
  const lines = [
    HEADER,
    ...(extra === undefined ? [] : [`extra ${encodeBase64(extra)}`]),
    `index ${index}`,
    ...proof.map(encodeBase64),
  ];
  return `${lines.join('\n')}\n\n${checkpoint}`;
}

/** Reads the form only. Signature, quorum and inclusion are for the caller to verify. */
export function parseProofFile(text: string): ProofFile | null {
  const blank = text.indexOf('\n\n');
  if (text.length > TEXT_MAX_CHARS || blank < 0) return null;
  const [header, ...lines] = text.slice(0, blank).split('\n');
  const extra = lines[0]?.startsWith('extra ')
    ? decodeBase64(lines.shift()?.slice('extra '.length) ?? '')
    : undefined;
  const [, digits = ''] = /^index (.*)$/.exec(lines.shift() ?? '') ?? [];
  const index = parseDecimal(digits);
  if (header !== HEADER || extra === null || index === null) return null;
  const proof = parseHashes(lines);
  const checkpoint = text.slice(blank + 2);
  if (proof === null || parseCheckpoint(noteText(checkpoint) ?? '') === null) return null;
  return { index, proof, checkpoint, extra: extra ?? null };
}

function parseHashes(lines: readonly string[]): Hash[] | null {
  if (lines.length > PROOF_MAX_HASHES) return null;
  const hashes = lines
    .map(decodeBase64)
    .filter((hash) => hash !== null)
    .filter(isHash);
  return hashes.length === lines.length ? hashes : null;
}
