import { parseEntry } from '../../core/log/entry.ts';
import { openCheckpoint } from '../../core/log/open-checkpoint.ts';
import { bodyText, isWatched } from '../ask/asking.ts';
import type { CommandContext } from '../command-context.ts';
import { EXIT, type Outcome } from '../exit-code.ts';
import type { Arguments } from '../read-arguments.ts';
import { plainText } from '../show/plain-text.ts';
import { createProgress } from '../show/progress.ts';
import { archiveFiles, checkArchive } from './check-archive.ts';
import { addFault, type Findings, noFindings, quietWithdrawals } from './check-findings.ts';
import { checkRun, checkTree, type TreeParts } from './check-tree.ts';
import { firstEntry } from './find-entry.ts';
import { findSplit, type SeenHead } from './growth.ts';
import { ignoreWithheld } from './learn-keys.ts';
import { LogAway, tilesIn } from './log-files.ts';
import { type LogAddress, printAway, readLogAddress } from './log-key.ts';
import type { LogMemory, Remembered } from './log-memory.ts';
import { receiptPlaces } from './places/receipt-places.ts';
import { readProofOptions, readSmallFile } from './read-proof-options.ts';
import { keepEvidence, tryToKeep, withHead } from './remember.ts';
import { installedRules } from './rules-files.ts';
import { establishTrust, headsIn, prefixOf, type Trust } from './trust.ts';

/** A size, or the note of a checkpoint. */
type Since = { readonly from: number; readonly note: string | null };

const SETTLE_MS = 5_000;

/** assay log check: everything that an auditor does, and every statement judged again. */
export async function logCheck(given: Arguments, context: CommandContext): Promise<Outcome> {
  const address = readLogAddress(given, context);
  const options = readProofOptions(given, context);
  const since = readSince(given.text('--since'));
  const folder = given.text('--archive');
  const archive = folder === null ? [] : archiveFiles(folder);
  if (archive === null) return { invalid: '--archive needs the folder of an archive (assay retire)' };
  for (const one of [address, options, since]) if (typeof one === 'string') return { invalid: one };
  if (typeof address === 'string' || typeof options === 'string' || typeof since === 'string')
    return EXIT.usage;
  const { memory } = options;
  try {
    const trust = await establishTrust(address.server, {
      ...options,
      given: options.policy,
      files: address.files,
    });
    const old = since.note === null ? null : sinceHead(since.note, trust);
    if (old === 'unsigned') return { invalid: 'the checkpoint of --since is not signed by this log' };
    const checked = await checkAll(trust, { address, given, context, since, old, archive });
    return await conclude(checked, trust, { given, context, memory, since, server: address.server });
  } catch (fault) {
    return printAway(address.server, fault, context);
  }
}

interface Checked {
  readonly findings: Findings;
  readonly heads: readonly SeenHead[];
}

interface CheckParts {
  readonly address: LogAddress;
  readonly given: Arguments;
  readonly context: CommandContext;
  readonly since: Since;
  readonly old: SeenHead | null;
  /** The files in which retired statements are. */
  readonly archive: readonly string[];
}

async function checkAll(
  trust: Trust,
  { address, given, context, since, old, archive }: CheckParts,
): Promise<Checked> {
  const findings = noFindings();
  const progress = createProgress(context.notes, isWatched(given, context));
  const common = {
    ...{ files: address.files, rules: installedRules(), findings, policy: trust.policy },
    receipts: receiptPlaces('live'),
    onBundle: () => progress.advance('bundles of entries'),
  };
  const heads: SeenHead[] = [];
  const known = [...headsIn(trust), ...(old === null ? [] : [old])];
  for (const split of trust.splits)
    addFault(findings, { kind: 'history_rewritten', where: split.says }, ...split.notes);
  try {
    for (const { prefix, origin } of epochsOf(trust)) {
      const olds = known.filter(({ head }) => head.origin === origin);
      const tree: TreeParts = { ...common, prefix, origin, from: since.from, olds };
      const seen = await checkTree(tree);
      if (seen !== null && prefix !== '') await checkEpoch(seen, heads, { tree, trust });
      if (seen !== null) heads.push(seen);
    }
    for (const run of [...findings.runs.values()]) await checkRun(run, common);
    await settleWithdrawals(findings, trust, { context, common });
    await checkArchive(archive, common);
  } catch (fault) {
    // What is proved already stays proved: a service cannot take it back by not answering any more.
    const isProved = fault instanceof LogAway && findings.faults.length > 0 && !context.stop.aborted;
    if (!isProved) throw fault;
  } finally {
    progress.end();
  }
  return { findings, heads };
}

/** An epoch says first where the one before it ended. */
async function checkEpoch(
  { head, note }: SeenHead,
  before: readonly SeenHead[],
  { tree: { files, prefix, findings }, trust }: { tree: TreeParts; trust: Trust },
): Promise<void> {
  const entry = parseEntry((await firstEntry({ files, prefix, head }).catch(ignoreWithheld)) ?? '');
  const old = before.at(-1);
  const isNamed = entry?.kind === 'epoch' && old?.head.origin === entry.origin;
  const oldPrefix = isNamed ? prefixOf(trust.base, entry.origin) : null;
  if (!isNamed || oldPrefix === null || old === undefined)
    return addFault(findings, { kind: 'epoch_differs', where: head.origin }, note);
  const { origin, size, root } = entry;
  const isCut = old.head.size > size;
  const split = isCut
    ? null
    : await findSplit([old, { note, head: { origin, size, root } }], tilesIn(files, oldPrefix));
  if (isCut || split !== null)
    addFault(findings, { kind: 'epoch_differs', where: head.origin }, note, old.note);
}

/** The entry of a withdrawal may still wait for its place while the statement is gone already. */
async function settleWithdrawals(
  findings: Findings,
  trust: Trust,
  {
    context,
    common,
  }: { context: CommandContext; common: Omit<TreeParts, 'prefix' | 'origin' | 'from' | 'olds'> },
): Promise<void> {
  if (quietWithdrawals(findings).length === 0) return;
  await context.wait(SETTLE_MS, context.stop);
  const again = noFindings();
  const nothing = Number.MAX_SAFE_INTEGER;
  for (const { prefix, origin } of epochsOf(trust))
    await checkTree({ ...common, findings: again, prefix, origin, from: nothing, olds: [] });
  for (const sha256 of again.withdrawals) findings.withdrawals.add(sha256);
  for (const where of quietWithdrawals(findings)) addFault(findings, { kind: 'statement_withheld', where });
}

function epochsOf({ policy, base }: Trust): readonly { readonly prefix: string; readonly origin: string }[] {
  return [...new Set(policy.logs.map(({ key }) => key.name))].flatMap((origin) => {
    const prefix = prefixOf(base, origin);
    return prefix === null ? [] : [{ prefix, origin }];
  });
}

interface ConcludeParts {
  readonly given: Arguments;
  readonly context: CommandContext;
  readonly memory: LogMemory;
  readonly server: string;
  readonly since: Pick<Since, 'from'>;
}

interface Concluded extends Pick<Findings, 'faults' | 'uncosigned'> {
  readonly counts: Findings['counts'] & { readonly retired: number };
  /** The first entry whose statement was read. */
  readonly from: number;
}

async function conclude(
  { findings, heads }: Checked,
  trust: Trust,
  { given, context: { out, notes, now }, memory, server, since: { from } }: ConcludeParts,
): Promise<Outcome> {
  const { faults, evidence, uncosigned } = findings;
  const counts = { ...findings.counts, retired: findings.retired.size };
  const sizes = heads.map(({ head: { origin, size } }) => ({ origin, size }));
  const isSound = faults.length === 0;
  const kept: string[] = [];
  await tryToKeep(notes, async () => {
    if (isSound) {
      const remembered = heads.reduce<Remembered>(
        (all, head) => withHead(all, head, now()),
        trust.remembered,
      );
      await memory.keep(trust.name, remembered);
      await memory.keepNameAt(server, trust.name);
      return;
    }
    kept.push(...(await keepEvidence(memory, [{ says: '', notes: heads.map(({ note }) => note) }])));
    for (const one of [...evidence, JSON.stringify({ trees: sizes, counts, faults })])
      kept.push(await memory.keepEvidence('check', one));
  });
  if (given.has('--json'))
    out.write(
      bodyText(
        JSON.stringify({ sound: isSound, from, trees: sizes, counts, uncosigned, faults, evidence: kept }),
        out.isTerminal,
      ),
    );
  else out.write(`${summary(sizes, { counts, faults, uncosigned, from }).join('\n')}\n`);
  for (const file of kept) notes.write(`assay: evidence kept in ${file}\n`);
  if (!isSound) return EXIT.disproved;
  // Anybody can say that a statement is in an archive: it counts when it was read there.
  return uncosigned.length === 0 && counts.retired === 0 ? EXIT.done : EXIT.recheck;
}

function summary(
  trees: readonly { origin: string; size: number }[],
  { counts, faults, uncosigned, from }: Concluded,
): readonly string[] {
  const { receipts, judged, not_judged: notJudged, withdrawn, retired, runs, rules } = counts;
  const archived = retired === 0 ? '' : `, ${retired} in an archive and not read (--archive)`;
  return [
    ...trees.map(({ origin, size }) => `${plainText(origin)}: ${size} entries, tree rebuilt from them`),
    `  receipts     ${receipts}: ${judged} judged again, ${notJudged} not judged, ${withdrawn} withdrawn${archived}`,
    `  runs         ${runs}`,
    `  rules files  ${rules}`,
    ...uncosigned.map(
      (origin) => `  ${plainText(origin)}: no quorum of witnesses has signed this checkpoint yet`,
    ),
    ...faults.map(({ kind, where }) => `  ${kind}: ${plainText(where)}`),
    conclusionOf(faults.length, retired, from),
  ];
}

function conclusionOf(faults: number, unread: number, from: number): string {
  if (faults > 0) return 'PROVED WRONG';
  if (unread > 0) return 'sound as far as it was read';
  return from === 0 ? 'sound' : `sound; of the statements, those from entry ${from} on were read`;
}

function readSince(text: string | null): Since | string {
  if (text === null) return { from: 0, note: null };
  if (/^[0-9]{1,15}$/.test(text)) return { from: Number(text), note: null };
  const note = readSmallFile(text);
  return note === null ? '--since needs a size or the file of a checkpoint' : { from: 0, note };
}

function sinceHead(note: string, { policy }: Trust): SeenHead | 'unsigned' {
  const opened = openCheckpoint(note, { ...policy, quorum: 'none' });
  return typeof opened === 'string' ? 'unsigned' : { note, head: opened.head };
}
