import type { StaticFolder } from '../../../adapters/archive/static-folder.ts';
import { SHARDS } from '../../../core/snapshot/snapshot-rows.ts';
import { type LatestSnapshotPorts, latestSnapshot } from '../../../flows/snapshot/latest-snapshot.ts';
import type { KeptSnapshot, SnapshotPart, SnapshotStore } from '../../../ports/snapshot/snapshots.ts';
import type { Links } from '../../../wire/responses/links.ts';
import { snapshotJson } from '../../../wire/responses/snapshot-json.ts';

const PARTS: readonly (readonly [name: string, part: SnapshotPart])[] = [
  ['head', 'head'],
  ...Array.from({ length: SHARDS }, (_, number) => [number.toString(16).padStart(2, '0'), number] as const),
];
const SHA256 = /^[0-9a-f]{64}$/;
const FILE = /^([0-9a-f]{64})(?:\.bin)?$/;
const DELTA = /^([0-9a-f]{64})-([0-9a-f]{64})\.delta$/;

/** The files first, then the manifest that names them, and only then what is no longer served goes. */
export async function exportSnapshot(
  { snapshots, transparencyLog }: LatestSnapshotPorts & { readonly snapshots: SnapshotStore },
  files: StaticFolder,
  links: Links,
): Promise<void> {
  const latest = await latestSnapshot({ snapshots, transparencyLog });
  const before = latest?.deltaFrom == null ? null : await snapshots.find(latest.deltaFrom);
  for (const snapshot of [before, latest]) {
    if (snapshot !== null) await exportFile(snapshot, snapshots, files);
  }
  if (latest !== null) await files.put('v1/snapshot', JSON.stringify(snapshotJson(latest, links)));
  for await (const name of files.names('snapshot')) {
    if (!(await isServed(name, snapshots))) await files.remove(`snapshot/${name}`);
  }
  if (latest === null && (await files.has('v1/snapshot'))) await files.remove('v1/snapshot');
}

async function exportFile(
  { sha256, deltaFrom }: KeptSnapshot,
  snapshots: SnapshotStore,
  files: StaticFolder,
): Promise<void> {
  if (!SHA256.test(sha256)) throw new Error('a snapshot has no hash for its name');
  for (const [name, part] of PARTS) {
    await files.keep(`snapshot/${sha256}/${name}.bin`, () => snapshots.part(sha256, part));
  }
  await files.keep(`snapshot/${sha256}.bin`, async () => {
    const parts: Buffer[] = [];
    for (const [, part] of PARTS) {
      const bytes = await snapshots.part(sha256, part);
      if (bytes === null) return null;
      parts.push(bytes);
    }
    return Buffer.concat(parts);
  });
  if (deltaFrom === null || !SHA256.test(deltaFrom)) return;
  await files.keep(`snapshot/${deltaFrom}-${sha256}.delta`, () => snapshots.part(sha256, 'delta'));
}

/** Names that are not ours stay. */
async function isServed(name: string, snapshots: SnapshotStore): Promise<boolean> {
  const [, file] = FILE.exec(name) ?? [];
  if (file !== undefined) return (await snapshots.find(file)) !== null;
  const [, from, to] = DELTA.exec(name) ?? [];
  return from === undefined || to === undefined || (await snapshots.find(to))?.deltaFrom === from;
}
