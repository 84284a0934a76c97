import { createPublicKey, type KeyObject } from 'node:crypto';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { type NoteKey, signNote } from '../../../src/core/log/note.ts';
import { parseProofFile } from '../../../src/core/log/proof-file.ts';
import { hashLeaf } from '../../../src/core/log/tree-hash.ts';
import { isIncluded } from '../../../src/core/log/verify-proof.ts';
import { entryOf } from '../../support/log/memory-tree.ts';
import { seededSigner } from '../../support/log/seeded-signer.ts';
import { LOG_SIGNER, staticLog, withFlippedBit } from '../../support/log/static-log.ts';

/** A verifier that others wrote: the client of Sigstore, whose logs have the same notes and trees. */
interface TlogEntry {
  readonly integratedTime: string;
  readonly canonicalizedBody: Uint8Array;
  readonly inclusionProof: {
    readonly logIndex: string;
    readonly treeSize: string;
    readonly rootHash: Uint8Array;
    readonly hashes: readonly Uint8Array[];
    readonly checkpoint: { readonly envelope: string };
  };
}
interface Authority {
  readonly logID: Uint8Array;
  readonly publicKey: KeyObject;
  readonly validFor: { readonly start: Date; readonly end: Date };
}

const load = createRequire(import.meta.url);
const checkpoints: { verifyCheckpoint(entry: TlogEntry, logs: readonly Authority[]): void } = load(
  '@sigstore/verify/dist/timestamp/checkpoint.js',
);
const merkle: { verifyMerkleInclusion(entry: TlogEntry): void } = load(
  '@sigstore/verify/dist/timestamp/merkle.js',
);

function authority({ id, publicKey }: NoteKey): Authority {
  const logID = Buffer.alloc(4);
  logID.writeUInt32BE(id);
  const key = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey).toString('base64url') };
  return {
    logID,
    publicKey: createPublicKey({ key, format: 'jwk' }),
    validFor: { start: new Date(0), end: new Date('2100-01-01') },
  };
}

async function entryAt(index: number, log: Awaited<ReturnType<typeof staticLog>>): Promise<TlogEntry> {
  const file = parseProofFile(await log.proofOf(index));
  if (file === null) throw new Error('our own proof file must parse');
  return {
    integratedTime: '1790000000',
    canonicalizedBody: entryOf(index),
    inclusionProof: {
      logIndex: String(file.index),
      treeSize: String(log.head.size),
      rootHash: log.head.root,
      hashes: file.proof,
      checkpoint: { envelope: file.checkpoint },
    },
  };
}

function verify(entry: TlogEntry, key: NoteKey = LOG_SIGNER.key): void {
  checkpoints.verifyCheckpoint(entry, [authority(key)]);
  merkle.verifyMerkleInclusion(entry);
}

describe('the client of Sigstore', () => {
  it.each([1, 2, 3, 255, 256, 257, 1_000])('accepts our notes and proofs of %i entries', async (size) => {
    const log = await staticLog({ size });
    for (const index of new Set(
      [0, 1, size >> 1, size - 2, size - 1].map((at) => Math.max(0, Math.min(at, size - 1))),
    )) {
      const entry = await entryAt(index, log);
      expect(() => verify(entry)).not.toThrow();
    }
  });

  it('refuses what is forged, as we do', async () => {
    const size = 257;
    const log = await staticLog({ size });
    for (const index of [0, 100, 255, 256]) {
      const entry = await entryAt(index, log);
      const { inclusionProof } = entry;
      const forge = (change: Partial<TlogEntry['inclusionProof']>): TlogEntry => ({
        ...entry,
        inclusionProof: { ...inclusionProof, ...change },
      });
      const flippedHashes = inclusionProof.hashes.map((_, which) =>
        forge({
          hashes: inclusionProof.hashes.map((hash, at) => (at === which ? withFlippedBit(hash, at) : hash)),
        }),
      );
      const forged = [
        { ...entry, canonicalizedBody: Buffer.from('forged') },
        forge({ logIndex: String(index === 0 ? 1 : index - 1) }),
        forge({ hashes: inclusionProof.hashes.slice(1) }),
        forge({ rootHash: withFlippedBit(log.head.root, index) }),
        ...flippedHashes,
      ];
      for (const one of forged) {
        expect(() => verify(one)).toThrow();
        const { logIndex, hashes, rootHash } = one.inclusionProof;
        const leaf = hashLeaf(one.canonicalizedBody);
        expect(isIncluded({ index: Number(logIndex), size, root: rootHash, leaf, proof: hashes })).toBe(
          false,
        );
      }
    }
  });

  it('refuses a checkpoint that was changed or signed by a stranger', async () => {
    const log = await staticLog({ size: 5 });
    const entry = await entryAt(2, log);
    const withNote = (envelope: string): TlogEntry => ({
      ...entry,
      inclusionProof: { ...entry.inclusionProof, checkpoint: { envelope } },
    });
    const stranger = seededSigner(LOG_SIGNER.key.name, 1, 'another seed');
    expect(() => verify(withNote(log.checkpoint.replace('\n5\n', '\n6\n')))).toThrow('signature');
    expect(() => verify(withNote(signNote('log.example/assay\n5\nAAAA\n', [stranger])))).toThrow('signature');
    expect(() => verify(entry, stranger.key)).toThrow('signature');
  });
});
