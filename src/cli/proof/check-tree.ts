import { hash } from 'node:crypto';
import { type AuditReport, auditLog } from '../../core/log/audit.ts';
import type { TreeHead } from '../../core/log/checkpoint.ts';
import { openCheckpoint } from '../../core/log/open-checkpoint.ts';
import { onlyLog, type Policy } from '../../core/log/policy.ts';
import { TILE_WIDTH } from '../../core/log/tile.ts';
import { isSameBytes } from '../../core/log/tree-hash.ts';
import { runFacts } from '../../core/verify/statement-facts.ts';
import { plainText } from '../show/plain-text.ts';
import { addFault, type RunPlace } from './check-findings.ts';
import { checkStatements, type StatementParts } from './check-statements.ts';
import { findSplit, type SeenHead } from './growth.ts';
import {
  CHECKPOINT,
  CHECKPOINT_BYTES,
  LOG_FILE_BYTES,
  LOG_FILES_AT_ONCE,
  LOG_SIZE_MAX,
  LogAway,
  type LogFiles,
  tilesIn,
} from './log-files.ts';
import { receiptPlaces } from './places/receipt-places.ts';

export interface TreeParts extends StatementParts {
  readonly policy: Policy;
  /** Heads of this log from before. */
  readonly olds: readonly SeenHead[];
  readonly onBundle: () => void;
  /** The log whose keys sign this tree, if it is not named after them. */
  readonly signedBy?: string;
}

const RUN_STATEMENT_BYTES = 1_048_576;

/** Audits one tree with all of its statements. Answers the head that it has now; null when nothing in it can be trusted. */
export async function checkTree(parts: TreeParts, runOrigin?: string): Promise<SeenHead | null> {
  const { findings, prefix, origin } = parts;
  // A run is signed with the keys of its epoch.
  const policy = onlyLog(parts.policy, parts.signedBy ?? origin);
  const shown = await parts.files.get(`${prefix}${CHECKPOINT}`, CHECKPOINT_BYTES);
  // An epoch signs its first checkpoint some time after its key is known. A client that has seen one knows that it is withheld.
  if (shown === null && runOrigin === undefined && parts.olds.length === 0)
    throw new LogAway(`has no checkpoint of ${plainText(origin)} yet`);
  let [note, checkpoint] = [Buffer.from(shown ?? '').toString(), shown];
  const opened = openCheckpoint(note, { ...policy, quorum: 'none' }, runOrigin);
  if (typeof opened !== 'string') {
    if (opened.head.size > LOG_SIZE_MAX)
      throw new LogAway(`has a log of ${opened.head.size} entries, more than are read here`);
    const seen = [...parts.olds, { note, head: opened.head }];
    const split = await findSplit(seen, tilesIn(parts.files, prefix));
    if (split !== null)
      addFault(findings, { kind: 'history_rewritten', where: `${origin}: ${split.says}` }, ...split.notes);
    const later = split === null ? laterOf(parts.olds, opened.head, policy) : null;
    if (later !== null) [note, checkpoint] = [later.note, Buffer.from(later.note)];
  }
  const files = withCheckpoint(parts.files, `${prefix}${CHECKPOINT}`, checkpoint);
  const statements = checkStatements({ ...parts, files });
  // A log publishes also while a witness is away, which proves nothing against it.
  if (openCheckpoint(note, policy, runOrigin) === 'no_quorum') findings.uncosigned.push(origin);
  const report: AuditReport = await auditLog({
    fetchFile: (path) => files.get(`${prefix}${path}`, LOG_FILE_BYTES),
    policy: unwitnessed(policy),
    ...(runOrigin === undefined ? {} : { origin: runOrigin }),
    filesAtOnce: LOG_FILES_AT_ONCE,
    sizeMax: LOG_SIZE_MAX,
    onEntry: async (entry, index) => {
      await statements.take(entry, index);
      if (index % TILE_WIDTH === TILE_WIDTH - 1) parts.onBundle();
    },
  });
  await statements.finish();
  for (const { kind, path } of report.faults) addFault(findings, { kind, where: `${prefix}${path}` }, note);
  return report.head === null ? null : { note, head: report.head };
}

/** The receipts of a run: its statement is in the log, and says which tree they are in. */
export async function checkRun(
  { run, sha256, origin }: RunPlace,
  parts: Omit<TreeParts, 'prefix' | 'origin' | 'from' | 'olds'>,
): Promise<void> {
  const { findings, files, policy } = parts;
  findings.counts.runs += 1;
  const prefix = `run/${run}/`;
  const statement = await files.get(`${prefix}statement`, RUN_STATEMENT_BYTES);
  if (statement === null) return addFault(findings, { kind: 'run_withheld', where: run });
  const facts = runFacts(statement);
  if (!isSameBytes(hash('sha256', statement, 'buffer'), sha256) || facts === null || facts.id !== run)
    return addFault(findings, { kind: 'run_differs', where: run }, statement);
  const name = `${origin}/run/${run}`;
  const tree = {
    ...parts,
    prefix,
    origin: name,
    signedBy: origin,
    // Two runs may give the same id to different receipts.
    receipts: receiptPlaces('crawl'),
    from: 0,
    olds: [],
    policy: unwitnessed(policy),
  };
  const seen = await checkTree(tree, name);
  const isSame = seen?.head.size === facts.size && isSameBytes(seen.head.root, facts.root);
  if (!isSame) addFault(findings, { kind: 'run_tree_differs', where: run }, statement, seen?.note ?? '');
}

/** No witness sees the tree of a run, for example: its root is in the log, which they do see. */
function unwitnessed(policy: Policy): Policy {
  return { ...policy, quorum: 'none' };
}

/** What is remembered beyond the head that is shown: behind an older one, a log could hide its newest entries. */
function laterOf(olds: readonly SeenHead[], { size }: TreeHead, policy: Policy): SeenHead | null {
  const isTrusted = ({ note }: SeenHead) => typeof openCheckpoint(note, unwitnessed(policy)) !== 'string';
  const later = olds.filter((old) => old.head.size > size && isTrusted(old));
  return later.toSorted((left, right) => right.head.size - left.head.size)[0] ?? null;
}

/** All is compared with one checkpoint, although the log grows meanwhile. */
function withCheckpoint(files: LogFiles, path: string, checkpoint: Uint8Array | null): LogFiles {
  return { get: async (asked, most) => (asked === path ? checkpoint : files.get(asked, most)) };
}
