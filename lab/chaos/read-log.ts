import { setTimeout as wait } from 'node:timers/promises';
import { auditLog } from '../../src/core/log/audit.ts';
import { parseEntry } from '../../src/core/log/entry.ts';
import { growTree } from '../../src/core/log/grow-tree.ts';
import { openCheckpoint } from '../../src/core/log/open-checkpoint.ts';
import { type Policy, parsePolicy } from '../../src/core/log/policy.ts';
import { type Hash, hashLeaf, isSameBytes } from '../../src/core/log/tree-hash.ts';
import { callerAddress } from '../world/callers.ts';
import type { LogNote } from './evidence.ts';
import type { GatherParts } from './gather.ts';

const QUIET_MS = 60_000;
const SIZE_MAX = 1_000_000;
const LANES = 4;
/** Nobody else has this address. */
const AUDITOR = 4_000_000;

/** The whole log as an auditor gets it over HTTP, and what clients were given of it meanwhile. */
export async function readLog({ world, journal, now }: GatherParts): Promise<LogNote> {
  const startedAt = now();
  const waiting = () => world.database.rows('select id from log_entries where seq is null limit 1');
  while (now() - startedAt < QUIET_MS && (await waiting()).length > 0) await wait(500);
  const [replica] = world.replicas;
  if (replica === undefined) throw new Error('there are no replicas');
  const fetchFile = (path: string) => fetchFrom(`${replica.address}/log/${path}`);
  const policy = parsePolicy(Buffer.from((await fetchFile('policy')) ?? []).toString());
  if ('fault' in policy) throw new Error(`the policy of the log: ${policy.fault}`);
  const leaves: Hash[] = [];
  const hashes = new Map<string, string>();
  const onEntry = (entry: Uint8Array) => {
    leaves.push(hashLeaf(entry));
    const read = parseEntry(Buffer.from(entry).toString());
    if (read?.kind === 'receipt') hashes.set(read.id, Buffer.from(read.sha256).toString('hex'));
  };
  const { faults, head } = await auditLog({
    fetchFile,
    policy,
    filesAtOnce: LANES,
    sizeMax: SIZE_MAX,
    onEntry,
  });
  return {
    size: head?.size ?? 0,
    faults: faults.map(({ kind, path }) => `${kind} ${path}`),
    hashes,
    // Checkpoints are published without waiting for witnesses, so what a client got may have too few cosignatures.
    strays: strayCheckpoints([...journal.checkpoints], { ...policy, quorum: 'none' }, leaves),
  };
}

async function fetchFrom(url: string): Promise<Uint8Array | null> {
  const response = await fetch(url, { headers: { 'x-forwarded-for': callerAddress(AUDITOR) } });
  if (response.status === 404) return null;
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

/** Those that no prefix of the log has the root of. */
export function strayCheckpoints(
  notes: readonly string[],
  policy: Policy,
  leaves: readonly Hash[],
): readonly string[] {
  const read = notes.map((note) => ({ note, opened: openCheckpoint(note, policy) }));
  const isStray = ({ opened }: (typeof read)[number]) => {
    if (typeof opened === 'string' || opened.head.size > leaves.length) return true;
    const { size, root } = opened.head;
    return !isSameBytes(growTree(0, new Map(), leaves.slice(0, size)).root, root);
  };
  return read.filter(isStray).map(({ note }) => note);
}
