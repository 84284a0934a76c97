import { auditLog } from '../../core/log/audit.ts';
import { parseEntry } from '../../core/log/entry.ts';
import { onlyLog } from '../../core/log/policy.ts';
import { isOverdue, openPromise } from '../../core/verify/promise-step.ts';
import { isJsonObject, member } from '../../core/x402/read-json.ts';
import type { Asked } from '../ask/ask-service.ts';
import type { CommandContext } from '../command-context.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { plainText } from '../show/plain-text.ts';
import { LOG_SIZE_MAX, LogAway, type LogFiles } from './log-files.ts';
import type { ProofOptions } from './read-proof-options.ts';
import { prefixOf, type Trust } from './trust.ts';

export interface AbsenceParts {
  readonly files: LogFiles;
  readonly options: ProofOptions;
  readonly context: CommandContext;
  readonly trust: () => Promise<Trust>;
}

const FILE_BYTES = 16_777_472;
const LANES = 4;
const SETTLE_MS = 5_000;

/** The service has no proof. Withdrawn, not yet logged and unknown are fine; a promise that is over, or a quiet withdrawal, is not. */
export async function explainAbsence(
  id: string,
  asked: Extract<Asked, { kind: 'answered' }>,
  { files, options, context, trust }: AbsenceParts,
): Promise<ExitCode> {
  const { notes } = context;
  const code = isJsonObject(asked.json) ? member(asked.json, 'code') : null;
  if (code === 'retired') {
    notes.write('assay: the receipt is in an archive and no longer served: ask its operator for the file\n');
    return EXIT.recheck;
  }
  if (asked.status === 410) return explainWithdrawal(id, { files, options, context, trust });
  if (options.promise !== null) {
    const broken = await brokenPromise(id, options.promise, { files, options, context, trust });
    if (broken !== null) return broken;
  }
  const isWaiting = code === 'not_logged_yet';
  const later = asked.retryAfterSeconds === null ? '' : `; try again in ${asked.retryAfterSeconds} s`;
  notes.write(isWaiting ? `assay: not in the log yet${later}\n` : 'assay: no receipt has this id\n');
  return EXIT.recheck;
}

/** Null unless a promise is proved to be broken: the whole log of now is searched, and its root computed again. */
async function brokenPromise(id: string, note: string, parts: AbsenceParts): Promise<ExitCode | null> {
  const { context } = parts;
  const trust = await parts.trust();
  const { promiseKey, policy } = trust;
  if (promiseKey === null) {
    context.notes.write('assay: the policy has no key for promises, so that this one was not checked\n');
    return null;
  }
  const promise = openPromise(note, promiseKey, policy);
  if (typeof promise === 'string') return disproved(promise, [note], parts);
  if (promise.id !== id) {
    context.notes.write(`assay: the promise of --promise is about ${promise.id}\n`);
    return EXIT.usage;
  }
  if (!isOverdue(promise, context.now())) return null;
  const found = await searchLog(trust, parts, (entry) => entry?.kind === 'receipt' && entry.id === id);
  if (found.fault !== null) return disproved(found.fault, [note, ...found.notes], parts);
  if (found.isFound)
    return disproved('the receipt is in the log, but its proof is withheld', found.notes, parts);
  const says = `the promise ended ${promise.by.toISOString()} and was not kept`;
  return disproved(says, [note, ...found.notes], parts);
}

async function explainWithdrawal(id: string, parts: AbsenceParts): Promise<ExitCode> {
  const { context } = parts;
  const trust = await parts.trust();
  const isIt = (entry: ReturnType<typeof parseEntry>) => entry?.kind === 'withdrawal' && entry.id === id;
  let found = await searchLog(trust, parts, isIt);
  if (!found.isFound) {
    // Its entry may wait for its place in the log.
    await context.wait(SETTLE_MS, context.stop);
    found = await searchLog(trust, parts, isIt);
  }
  if (found.fault !== null) return disproved(found.fault, found.notes, parts);
  if (!found.isFound)
    return disproved('withdrawn, but the log has no entry that says so', found.notes, parts);
  context.notes.write(`assay: the receipt was withdrawn, and the log says so\n`);
  return EXIT.recheck;
}

async function searchLog(
  { policy, base }: Trust,
  { files }: Pick<AbsenceParts, 'files'>,
  isWanted: (entry: ReturnType<typeof parseEntry>) => boolean,
): Promise<{ isFound: boolean; fault: string | null; notes: readonly string[] }> {
  const notes: string[] = [];
  let isFound = false;
  let fault: string | null = null;
  for (const origin of new Set(policy.logs.map(({ key }) => key.name))) {
    const prefix = prefixOf(base, origin);
    if (prefix === null) continue;
    const report = await auditLog({
      fetchFile: (path) => files.get(`${prefix}${path}`, FILE_BYTES),
      policy: { ...onlyLog(policy, origin), quorum: 'none' },
      lanes: LANES,
      sizeMax: LOG_SIZE_MAX,
      onEntry: (entry) => {
        isFound ||= isWanted(parseEntry(Buffer.from(entry).toString()));
      },
    });
    if (report.checkpoint !== null) notes.push(report.checkpoint);
    for (const { kind, path } of report.faults) {
      if (kind === 'log_too_large') throw new LogAway('has more entries than are read here');
      // Then its entries are not those that it signed. An epoch without a checkpoint has no entries yet.
      if (kind !== 'checkpoint_missing') fault ??= `the log is wrong: ${kind}, ${prefix}${path}`;
    }
  }
  return { isFound, fault, notes };
}

async function disproved(
  says: string,
  notes: readonly string[],
  { options: { memory }, context }: Pick<AbsenceParts, 'options' | 'context'>,
): Promise<ExitCode> {
  context.notes.write(`assay: ${plainText(says)}\n`);
  for (const note of notes) {
    const file = await memory.keepEvidence('note', note);
    context.notes.write(`assay: evidence kept in ${file}\n`);
  }
  return EXIT.disproved;
}
