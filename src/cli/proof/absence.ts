import type { LogPromise } from '../../core/log/promise.ts';
import type { Hash } from '../../core/log/tree-hash.ts';
import { unreachable } from '../../core/unreachable.ts';
import { isOverdue, openPromise } from '../../core/verify/promise-step.ts';
import { isJsonObject, member } from '../../core/x402/read-json.ts';
import type { Asked } from '../ask/ask-service.ts';
import type { CommandContext } from '../command-context.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { plainText } from '../show/plain-text.ts';
import type { LogFiles } from './log-files.ts';
import type { ProofOptions } from './read-proof-options.ts';
import { type Searched, searchLog } from './search-log.ts';
import type { Trust } from './trust.ts';

export interface AbsenceParts {
  readonly files: LogFiles;
  readonly options: ProofOptions;
  readonly context: CommandContext;
  readonly trust: () => Promise<Trust>;
}

const SETTLE_MS = 5_000;

/** What a service answers that has no proof, or a redirect. */
export type NoProof = Extract<Asked, { kind: 'answered' }> | 'redirect';

/** Why the service has no proof, by its own account. */
type Absence = 'retired' | 'withdrawn' | 'not_logged_yet' | 'unknown';

/** The service has no proof. Withdrawn, retired, not yet logged and unknown are fine; a broken promise or a quiet withdrawal is not. */
export async function explainAbsence(id: string, asked: NoProof, parts: AbsenceParts): Promise<ExitCode> {
  const { options, context } = parts;
  const absence = absenceOf(asked);
  // First of all: no answer of the service excuses a broken promise.
  const promised =
    options.promise === null ? NOT_PROMISED : await checkPromise(id, options.promise, { absence, parts });
  if ('exit' in promised) return promised.exit;
  if (absence === 'withdrawn') return explainWithdrawal(id, promised, parts);
  const later = asked === 'redirect' ? null : asked.retryAfterSeconds;
  context.notes.write(`assay: ${reasonOf(absence, later)}\n`);
  return EXIT.recheck;
}

function absenceOf(asked: NoProof): Absence {
  // To a file of the archive. It is nobody's that the log vouches for, so it is not fetched.
  if (asked === 'redirect') return 'retired';
  const { status, json } = asked;
  const code = isJsonObject(json) ? member(json, 'code') : null;
  if (code === 'retired') return 'retired';
  if (status === 410) return 'withdrawn';
  return code === 'not_logged_yet' ? 'not_logged_yet' : 'unknown';
}

function reasonOf(absence: Exclude<Absence, 'withdrawn'>, retryAfterSeconds: number | null): string {
  switch (absence) {
    case 'retired':
      return 'the receipt is in an archive and no longer served: ask its operator for the file';
    case 'not_logged_yet':
      return `not in the log yet${retryAfterSeconds === null ? '' : `; try again in ${retryAfterSeconds} s`}`;
    case 'unknown':
      return 'no receipt has this id';
    default:
      return unreachable(absence);
  }
}

/** What is known of the promised statement; or the exit code when nothing else matters any more. */
type Promised = { readonly exit: ExitCode } | NotBroken;

interface NotBroken {
  /** Null when nothing was promised that can be verified. */
  readonly promise: { readonly note: string; readonly sha256: Hash } | null;
}

const NOT_PROMISED: NotBroken = { promise: null };

/** The whole log as it is now is searched, and its root computed again: only that proves that a promise was broken. */
async function checkPromise(
  id: string,
  note: string,
  { absence, parts }: { readonly absence: Absence; readonly parts: AbsenceParts },
): Promise<Promised> {
  const { context } = parts;
  const trust = await parts.trust();
  const { promiseKey, policy } = trust;
  if (promiseKey === null) {
    context.notes.write('assay: the policy has no key for promises, so that this one was not checked\n');
    return NOT_PROMISED;
  }
  const promise = openPromise(note, promiseKey, policy);
  if (typeof promise === 'string') return { exit: await disproved(promise, [note], parts) };
  if (promise.id !== id) {
    context.notes.write(`assay: the promise of --promise is about ${promise.id}\n`);
    return { exit: EXIT.usage };
  }
  const { sha256 } = promise;
  const notBroken = { promise: { note, sha256 } };
  if (!isOverdue(promise, context.now())) return notBroken;
  const found = await searchLog(trust, parts.files, { kind: 'receipt', id, sha256 });
  const fault = found.fault ?? promiseFault(found, promise, absence);
  return fault === null ? notBroken : { exit: await disproved(fault, [note, ...found.notes], parts) };
}

function promiseFault({ isThere, isOther }: Searched, { by }: LogPromise, absence: Absence): string | null {
  if (!isThere && isOther) return 'the log has another statement of this receipt than the promised one';
  if (!isThere) return `the promise ended ${by.toISOString()} and was not kept`;
  const isExplained = absence === 'retired' || absence === 'withdrawn';
  return isExplained ? null : 'the receipt is in the log, but its proof is withheld';
}

async function explainWithdrawal(id: string, { promise }: NotBroken, parts: AbsenceParts): Promise<ExitCode> {
  const { context } = parts;
  const trust = await parts.trust();
  // A withdrawal of another statement does not explain why the promised one is gone.
  const wanted = { kind: 'withdrawal', id, sha256: promise?.sha256 ?? null } as const;
  let found = await searchLog(trust, parts.files, wanted);
  if (!found.isThere) {
    // Its entry may wait for its place in the log.
    await context.wait(SETTLE_MS, context.stop);
    found = await searchLog(trust, parts.files, wanted);
  }
  const evidence = promise === null ? found.notes : [promise.note, ...found.notes];
  if (found.fault !== null) return disproved(found.fault, evidence, parts);
  if (!found.isThere) return disproved('withdrawn, but the log has no entry that says so', evidence, parts);
  context.notes.write(`assay: the receipt was withdrawn, and the log says so\n`);
  return EXIT.recheck;
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
