import { checkpointText } from '../../../src/core/log/checkpoint.ts';
import { writeBundle } from '../../../src/core/log/entry-bundle.ts';
import { cosign, type NoteSigner, signNote } from '../../../src/core/log/note.ts';
import { proofFileText } from '../../../src/core/log/proof-file.ts';
import { inclusionProof } from '../../../src/core/log/prove.ts';
import { entriesPath, tileAt, tilePath, tilesOf } from '../../../src/core/log/tile.ts';
import { hashLeaf } from '../../../src/core/log/tree-hash.ts';
import { entryOf, memoryTree } from './memory-tree.ts';
import { seededSigner } from './seeded-signer.ts';

export const LOG_ORIGIN = 'log.example/assay';
export const LOG_SIGNER = seededSigner(LOG_ORIGIN);
export const WITNESS_SIGNERS: readonly NoteSigner[] = ['w1.example', 'w2.example', 'w3.example'].map((name) =>
  seededSigner(name, 4),
);
export const COSIGNED_AT = 1_790_000_000;

export interface StaticLogOptions {
  readonly size: number;
  readonly entry?: (index: number) => Uint8Array;
  readonly cosigners?: readonly NoteSigner[];
}

/** All files of a log by path, as a web server without any logic would have them. */
export async function staticLog({ size, entry = entryOf, cosigners = [] }: StaticLogOptions) {
  const files = new Map<string, Uint8Array>();
  const tree = memoryTree();
  const entries = Array.from({ length: size }, (_, index) => entry(index));
  tree.append(entries.map(hashLeaf));
  for (const tile of tilesOf(size)) files.set(tilePath(tile), Uint8Array.from(await tree.read(tile)));
  for (let index = 0; index * 256 < size; index += 1) {
    const { width } = tileAt(0, index, size);
    files.set(entriesPath(index, width), writeBundle(entries.slice(index * 256, index * 256 + width)));
  }
  const head = { origin: LOG_ORIGIN, ...tree.head() };
  const text = checkpointText(head);
  const lines = cosigners.map((witness) => cosign(text, COSIGNED_AT, witness));
  const checkpoint = signNote(text, [LOG_SIGNER]) + lines.join('');
  files.set('checkpoint', Buffer.from(checkpoint));
  const proofOf = async (index: number) =>
    proofFileText({ index, proof: await inclusionProof(index, size, tree.read), checkpoint });
  return { files, head, checkpoint, proofOf };
}

/** One bit of a file flipped, spread over the file by the seed. */
export function withFlippedBit(bytes: Uint8Array, seed: number): Uint8Array {
  const flipped = Uint8Array.from(bytes);
  const bit = (seed * 7_919) % (bytes.length * 8);
  flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return flipped;
}
