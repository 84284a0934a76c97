import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { untilAborted } from '../../core/concurrency/until-aborted.ts';
import { lint as lintSeen } from '../../core/lint/lint.ts';
import { isLocalTarget } from '../../core/lint/local-target.ts';
import type { Seen } from '../../core/lint/seen.ts';
import { redactUrl } from '../../core/url/redact-url.ts';
import { parseTargetUrl } from '../../core/url/target-url.ts';
import { URL_FAULTS } from '../../wire/requests/spot-check-request.ts';
import { viewOf } from '../ask/asking.ts';
import { typedUrl } from '../ask/assumed-url.ts';
import type { CommandContext } from '../command-context.ts';
import { EXIT, type ExitCode, type Outcome } from '../exit-code.ts';
import type { Arguments } from '../read-arguments.ts';
import { createPaint } from '../show/paint.ts';
import { plainText } from '../show/plain-text.ts';
import { jsonFormat } from './json-format.ts';
import { junitFormat } from './junit-format.ts';
import { countText, isFailing, type LintResult } from './lint-result.ts';
import { type LookedAround, lookAround } from './look-around.ts';
import { type LintOptions, readLintOptions } from './read-options.ts';
import { readSavedFile } from './read-saved-file.ts';
import { sarifFormat } from './sarif-format.ts';
import { textFormat } from './text-format.ts';

/** assay lint: what a seller's endpoint looks like from outside, with fixes. */
export async function lint(given: Arguments, context: CommandContext): Promise<Outcome> {
  const [typed = ''] = given.words;
  // A file in this folder may be named like a host.
  const options = readLintOptions(given, existsSync(typed) ? typed : typedUrl(typed, context));
  if ('invalid' in options) return options;
  const looked = options.isUrl ? await lookAtUrl(options, context) : await lookAtFile(options, context);
  if (looked === 'stopped') return EXIT.stopped;
  if ('invalid' in looked) return looked;
  const { seen, requests, target } = looked;
  const report = lintSeen(seen, {
    claim: options.claim,
    seenAt: context.now(),
    // The flag opens more targets; what it says about one of them is in its address.
    isLocal: seen.target !== null && isLocalTarget(seen.target),
  });
  const { method, failOn } = options;
  const result = { target, isFile: !options.isUrl, method, requests, report, failOn };
  const problem = await print(result, options, given, context);
  return problem === null ? exitOf(result) : { invalid: problem };
}

type Looked = (LookedAround & { readonly target: string }) | { readonly invalid: string } | 'stopped';

async function lookAtUrl(options: LintOptions, { lintOutbound, stop }: CommandContext): Promise<Looked> {
  const { word, method, input, allowLocal } = options;
  const reading = parseTargetUrl(word);
  if (reading.kind === 'invalid') return { invalid: `the URL ${URL_FAULTS[reading.fault]}` };
  const { target } = reading;
  const outbound = await lintOutbound(allowLocal ? 'local' : 'public');
  const looking = lookAround({ target, method, input }, outbound, stop);
  const looked = await Promise.race([looking, stopped(stop)]);
  if (looked === 'stopped') return looked;
  if (looked.seen.bare.kind === 'blocked') return { invalid: allowLocal ? CLOSED : LOCAL };
  return { ...looked, target: redactUrl(target.href, 'unlisted') };
}

const LOCAL = 'the URL leads to this machine or to a private network, which only --allow-local requests';
const CLOSED = 'the URL leads to an address or a port that is never requested';

/** A request in flight may last five more seconds; stopping does not wait for it. */
function stopped(stop: AbortSignal): Promise<'stopped'> {
  return untilAborted(stop).then(() => 'stopped');
}

async function lookAtFile({ word, method }: LintOptions, { input }: CommandContext): Promise<Looked> {
  if (word === '-' && input.isTerminal) return { invalid: 'standard input is a terminal' };
  const saved = await readSavedFile(word, input);
  const target = word === '-' ? 'stdin' : word;
  if (saved.kind === 'invalid') return { invalid: `${plainText(target).slice(0, 200)} ${saved.problem}` };
  const nothing = {
    withInput: null,
    browser: null,
    preflight: null,
    head: null,
    openapi: null,
    wellKnown: null,
  };
  const seen: Seen = { target: null, method, hasHeaders: saved.hasHeaders, bare: saved.answer, ...nothing };
  return { seen, requests: 0, target };
}

const FORMATS = { text: textFormat, json: jsonFormat, sarif: sarifFormat, junit: junitFormat } as const;

/** Null when it is printed, else why it cannot be. */
async function print(
  result: LintResult,
  { format, output }: LintOptions,
  given: Arguments,
  context: CommandContext,
): Promise<string | null> {
  const view = viewOf(given, context);
  const inFile = { paint: createPaint(false), columns: Number.POSITIVE_INFINITY };
  const text = FORMATS[format](result, output === null ? view : inFile);
  if (output === null) {
    context.out.write(text);
    return null;
  }
  try {
    await writeFile(output, text);
  } catch {
    return `${plainText(output).slice(0, 200)} cannot be written`;
  }
  context.notes.write(`assay: ${countText(result)}\n`);
  return null;
}

function exitOf({ report: { verdict, findings }, failOn }: LintResult): ExitCode {
  // A server error is an answer, and a fault to be found; no answer is none.
  if (verdict.reason === 'timeout' || verdict.reason === 'unreachable') return EXIT.unreachable;
  return findings.some(({ level }) => isFailing(level, failOn)) ? EXIT.failed : EXIT.done;
}
