import { readFile, stat } from 'node:fs/promises';
import { SNAPSHOT_MAX_BYTES } from '../../core/snapshot/snapshot-head.ts';
import { type LoadSnapshot, NOTE_MAX_BYTES, type Trusted, trustedFile, trustedManifest } from './held.ts';

/** A file that something else downloads, and its manifest beside it. */
export function fileSource(path: string, trusted: Trusted): LoadSnapshot {
  return async (held, now) => {
    try {
      const note = await readAtMost(`${path}.note`, NOTE_MAX_BYTES);
      const manifest = trustedManifest(note.toString('utf8'), trusted, now);
      if (manifest === null) return null;
      return trustedFile(await readAtMost(path, SNAPSHOT_MAX_BYTES), manifest, held);
    } catch {
      return null;
    }
  };
}

async function readAtMost(path: string, most: number): Promise<Buffer> {
  const { size } = await stat(path);
  if (size > most) throw new Error(`${path} is too large`);
  return readFile(path);
}
