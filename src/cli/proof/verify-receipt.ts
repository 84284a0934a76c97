import { existsSync, writeFileSync } from 'node:fs';
import { parseProofFile } from '../../core/log/proof-file.ts';
import { type ProofBundle, parseProofBundle } from '../../core/verify/proof-bundle.ts';
import { rulesStep } from '../../core/verify/rules-step.ts';
import { type Step, step } from '../../core/verify/step.ts';
import { type Verified, verifyBundle } from '../../core/verify/verify-bundle.ts';
import { viewsStep } from '../../core/verify/views-step.ts';
import type { Asked } from '../ask/ask-service.ts';
import { type Asking, bodyText, printUnanswered, printUnexpected, unanswered } from '../ask/asking.ts';
import type { CommandContext } from '../command-context.ts';
import { EXIT, type Outcome } from '../exit-code.ts';
import type { Arguments } from '../read-arguments.ts';
import { explainAbsence, type NoProof } from './absence.ts';
import { LogAway, type LogFiles, logFilesAt } from './log-files.ts';
import { noteLines, stepLines, stepsExit } from './print-steps.ts';
import { type ProofOptions, readProofOptions, readSmallFile } from './read-proof-options.ts';
import { keepEvidence, type Recalled, recall, recallOffline, tryToKeep } from './remember.ts';
import { installedRules } from './rules-files.ts';
import { establishTrust, hasPolicy, rememberedTrust, type Trust } from './trust.ts';

/** A path, or the name of a JSON file that is there. */
export function isBundleFile(word: string): boolean {
  return !/^https?:\/\//i.test(word) && (/[/\\]/.test(word) || word.endsWith('.json')) && existsSync(word);
}

/** assay receipt FILE --verify: without a network. */
export async function verifyFile(
  file: string,
  given: Arguments,
  context: CommandContext,
  asking: Asking,
): Promise<Outcome> {
  const options = readProofOptions(given, context);
  if (typeof options === 'string') return { invalid: options };
  const bundle = parseProofBundle(readSmallFile(file) ?? '');
  if (bundle === null)
    return { invalid: `${file} is not a saved proof; assay receipt ID --verify --save writes one` };
  const note = parseProofFile(bundle.run?.proof ?? bundle.proof)?.checkpoint ?? '';
  const { server } = asking.service;
  const trust = await rememberedTrust(note, { memory: options.memory, given: options.policy, server });
  if (trust === null)
    return {
      invalid:
        'nothing is remembered of this log, so that --policy is needed, or the --server that it was seen at',
    };
  const verified = verify(bundle, { trust, options, id: null, now: context.now() });
  const { checkpoint } = verified;
  const recalled = checkpoint === null ? nothingRecalled(trust) : recallOffline(trust, checkpoint);
  return conclude(verified, recalled, {
    options,
    context,
    asking,
    trust,
    bundle: readSmallFile(file) ?? '',
    isOnline: false,
  });
}

/** assay receipt ID --verify: fetches the bundle, and compares the log with what is remembered of it. */
export async function verifyReceipt(
  id: string,
  given: Arguments,
  context: CommandContext,
  asking: Asking,
): Promise<Outcome> {
  const options = readProofOptions(given, context);
  if (typeof options === 'string') return { invalid: options };
  const { service } = asking;
  const asked = await service.ask(`/v1/receipts/${id}/proof`, {});
  const files = logFilesAt(service.server, asking.timeoutSeconds, context);
  try {
    const absent = await absentIn(asked, files);
    if (absent !== null) {
      const trust = () =>
        establishTrust(service.server, { files, memory: options.memory, given: options.policy });
      return await explainAbsence(id, absent, { files, options, context, trust });
    }
    if (asked.kind !== 'answered' || asked.status !== 200)
      return printUnanswered(unanswered(asked, service), { asking, hint: [] }, context);
    const bundle = parseProofBundle(asked.text);
    if (bundle === null) return printUnexpected(asking, context);
    const trust = await establishTrust(service.server, {
      files,
      memory: options.memory,
      given: options.policy,
    });
    const verified = verify(bundle, { trust, options, id, now: context.now() });
    const recalled = await recall(trust, { files, seen: verified.checkpoint, now: context.now() }).catch(
      // What is proved already stays proved: a service cannot take it back by not answering any more.
      (fault: unknown) => {
        const isProved = fault instanceof LogAway && stepsExit(verified.steps) === EXIT.disproved;
        if (!isProved || context.stop.aborted) throw fault;
        return nothingRecalled(trust);
      },
    );
    const save = given.text('--save');
    if (save !== null) writeFileSync(save, asked.text, { mode: 0o600 });
    return await conclude(verified, recalled, {
      options,
      context,
      asking,
      trust,
      bundle: asked.text,
      isOnline: true,
    });
  } catch (fault) {
    if (!(fault instanceof LogAway)) throw fault;
    context.notes.write(`assay: the service at ${service.server} ${fault.message}\n`);
    return context.stop.aborted ? EXIT.stopped : EXIT.unreachable;
  }
}

/** Null for any other answer. A service whose log is elsewhere, too, has moved as a whole. */
async function absentIn(asked: Asked, files: LogFiles): Promise<NoProof | null> {
  if (asked.kind === 'answered') return asked.status === 404 || asked.status === 410 ? asked : null;
  if (asked.kind !== 'unreachable' || asked.isRedirect !== true) return null;
  return (await hasPolicy(files)) ? 'redirect' : null;
}

function verify(
  bundle: ProofBundle,
  { trust, options, id, now }: { trust: Trust; options: ProofOptions; id: string | null; now: Date },
): Verified {
  const { policy, promiseKey } = trust;
  const promised = { ...bundle, promise: options.promise ?? bundle.promise };
  return verifyBundle({ bundle: promised, policy, promiseKey, id, now });
}

function nothingRecalled({ remembered }: Trust): Recalled {
  return { step: step('memory', 'not_checked', 'no checkpoint to compare'), remembered, splits: [] };
}

interface Conclusion {
  readonly options: ProofOptions;
  readonly context: CommandContext;
  readonly asking: Asking;
  readonly trust: Trust;
  /** A file says nothing about what a service shows now. */
  readonly isOnline: boolean;
  /** As it came: evidence, if something is wrong. */
  readonly bundle: string;
}

async function conclude(
  { steps, facts }: Verified,
  recalled: Recalled,
  { options: { memory }, context: { out, notes }, asking, trust, bundle, isOnline }: Conclusion,
): Promise<Outcome> {
  const rules: Step[] = facts === null ? [] : [rulesStep(facts, await installedRules().judge(facts.rules))];
  const views = facts === null ? null : viewsStep(facts);
  const all = [...steps, recalled.step, ...rules, ...(views === null ? [] : [views])];
  const code = stepsExit(all);
  const isDisproved = code === EXIT.disproved;
  const evidence: string[] = [];
  await tryToKeep(notes, async () => {
    if (isDisproved) evidence.push(await memory.keepEvidence('proof', bundle));
    evidence.push(...(await keepEvidence(memory, recalled.splits)));
    // What is wrong with this receipt does not make the log unknown; only what was proved is remembered.
    if (isOnline && (!isDisproved || recalled.splits.length > 0))
      await memory.keep(trust.name, recalled.remembered);
    if (isOnline && !isDisproved) await memory.keepNameAt(asking.service.server, trust.name);
  });
  const { id = null, verdict = null, reason = null } = facts ?? {};
  const json = JSON.stringify({ id, verdict, reason, steps: all, evidence });
  const pairs = recalled.splits.flatMap((split) => split.notes).flatMap(noteLines);
  if (asking.json) out.write(bodyText(json, out.isTerminal));
  else out.write(`${[id ?? '', ...stepLines(all, asking.view()), ...pairs].join('\n')}\n`);
  for (const file of evidence) notes.write(`assay: evidence kept in ${file}\n`);
  return code;
}
