import { hash } from 'node:crypto';
import { type NoteFault, type NoteKey, openNote } from '../log/note.ts';
import { readSnapshot, type Snapshot, type SnapshotFault } from './snapshot-file.ts';
import { readManifest, type SnapshotManifest } from './snapshot-manifest.ts';

export type ManifestFault = NoteFault | 'wrong_manifest' | 'wrong_origin';
export type FileFault = 'wrong_file' | SnapshotFault;

/** The manifest in a note that this key has signed for this origin. */
export function openManifest(note: string, key: NoteKey, origin: string): SnapshotManifest | ManifestFault {
  const opened = openNote(note, [key]);
  if (typeof opened === 'string') return opened;
  const manifest = readManifest(opened.text);
  if (manifest === null) return 'wrong_manifest';
  return manifest.origin === origin ? manifest : 'wrong_origin';
}

/** The file that a manifest names, ready for look-ups. */
export function openFile(bytes: Buffer, manifest: SnapshotManifest): Snapshot | FileFault {
  if (!manifest.sha256.equals(hash('sha256', bytes, 'buffer'))) return 'wrong_file';
  const snapshot = readSnapshot(bytes);
  if (typeof snapshot === 'string') return snapshot;
  const { head, size } = snapshot;
  return head.runId === manifest.runId && size === manifest.size ? snapshot : 'wrong_file';
}
