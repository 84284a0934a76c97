import { isJsonObject, type JsonObject, parseJson } from '../../core/x402/read-json.ts';
import {
  type Asking,
  bodyLine,
  bodyText,
  isWatched,
  priceText,
  printUnanswered,
  readAsking,
} from '../ask/asking.ts';
import { type CheckEndpoint, type Checked, checkByService, checkLocally } from '../ask/check-endpoint.ts';
import { inOrder } from '../ask/in-order.ts';
import { createLocalCheck } from '../ask/local-check.ts';
import { readAhead } from '../ask/read-ahead.ts';
import { readTargets, type Target, type TargetLine } from '../ask/read-targets.ts';
import type { CommandContext } from '../command-context.ts';
import { EXIT, type ExitCode, type Outcome, strongestExit } from '../exit-code.ts';
import type { Arguments } from '../read-arguments.ts';
import { countWords, createProgress, type Progress } from '../show/progress.ts';
import { shownUrl, terminalCard, verdictLine } from '../show/terminal-card.ts';

const AT_ONCE = 4;

/** assay check: one URL gets a card, many get a line each. */
export async function check(given: Arguments, context: CommandContext): Promise<Outcome> {
  const reading = readAsking(given, context);
  if (reading.kind === 'invalid') return { invalid: reading.problem };
  const invalid = invalidWords(given, context);
  if (invalid !== null) return { invalid };
  const { asking } = reading;
  const options = {
    claimedPrice: given.text('--claimed-price'),
    method: given.text('--method'),
    payTo: given.text('--pay-to'),
    network: given.text('--network'),
    input: inputOf(given) ?? null,
  };
  const quiet = given.has('--quiet');
  const [url, ...others] = given.words;
  const isOne = url !== undefined && url !== '-' && others.length === 0;
  const dryRun = given.has('--dry-run');
  const ask = given.has('--local')
    ? checkLocally(createLocalCheck(await context.outbound(), context), { dryRun, stop: context.stop })
    : checkByService(asking.service, { dryRun, inFull: isOne && !quiet && !asking.json });
  const printing = { asking, quiet, watched: isWatched(given, context) };
  if (isOne) return checkOne({ ...options, url }, ask, printing, context);
  const fromInput = url === undefined || url === '-';
  const lines = fromInput
    ? readTargets(context.input.chunks(), options)
    : wordTargets(given.words.map((word) => ({ ...options, url: word })));
  return checkMany(lines, ask, { ...printing, total: fromInput ? null : given.words.length }, context);
}

function invalidWords(given: Arguments, { input }: CommandContext): string | null {
  if (given.words.length === 0 && input.isTerminal) return 'a URL is needed';
  if (given.words.length > 1 && given.words.includes('-')) return '- cannot be combined with URLs';
  if (given.has('--local') && (given.has('--server') || given.has('--timeout'))) {
    return '--local uses no service, so it cannot be combined with --server or --timeout';
  }
  if (given.text('--input') === null) return null;
  if (inputOf(given) === undefined) return '--input must be a JSON object';
  // Input goes only to URLs that a service lists.
  if (given.has('--local')) return '--input needs a service, so it cannot be combined with --local';
  return null;
}

/** Undefined for what is no JSON object. */
function inputOf(given: Arguments): JsonObject | null | undefined {
  const text = given.text('--input');
  if (text === null) return null;
  const value = parseJson(text);
  return isJsonObject(value) ? value : undefined;
}

async function* wordTargets(targets: readonly Target[]): AsyncGenerator<TargetLine> {
  for (const target of targets) yield { kind: 'target', target };
}

interface PrintOptions {
  readonly asking: Asking;
  readonly quiet: boolean;
  /** A progress bar is drawn. */
  readonly watched: boolean;
}

async function checkOne(
  target: Target,
  ask: CheckEndpoint,
  { asking, quiet, watched }: PrintOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { out } = context;
  const waiting = createProgress(context.notes, watched, 1);
  const checked = await ask(target);
  waiting.end();
  if (checked.kind !== 'verdict') return printUnanswered(checked, { asking, hint: hints(asking) }, context);
  if (asking.json) out.write(bodyText(checked.body, out.isTerminal));
  else if (quiet) out.write(`${checked.findings.verdict}\n`);
  else out.write(`${terminalCard(checked.findings, asking.view()).join('\n')}\n`);
  return EXIT[checked.findings.verdict];
}

function hints({ service }: Asking): string[] {
  return [
    `any x402 client can pay for it: GET ${service.server}/v1/products/endpoint-spot-check?url=...`,
    'assay check --dry-run gives no approval, and is free 50 times a day',
    'assay check --local checks from this machine, without a service',
  ];
}

async function checkMany(
  lines: AsyncIterable<TargetLine>,
  ask: CheckEndpoint,
  { total, ...options }: PrintOptions & { readonly total: number | null },
  context: CommandContext,
): Promise<ExitCode> {
  const { notes, stop } = context;
  const progress = createProgress(notes, options.watched, total);
  const codes: ExitCode[] = [];
  const counts = new Map<string, number>();
  await inOrder({
    items: readAhead(lines, progress.expect),
    limit: AT_ONCE,
    stop,
    work: async (line): Promise<CheckedLine> => {
      if (line.kind === 'invalid') {
        return { url: null, checked: { kind: 'refused', exit: EXIT.usage, line: line.problem, body: null } };
      }
      return { url: line.target.url, checked: await ask(line.target) };
    },
    emit: (line) => {
      const { word, exit } = printLine(line, options, context, progress);
      codes.push(exit);
      if (word === null) return;
      counts.set(word, (counts.get(word) ?? 0) + 1);
      progress.advance(word);
    },
  });
  progress.end();
  if (stop.aborted) codes.push(EXIT.stopped);
  if (!options.quiet && codes.length > 0)
    notes.write(`assay: ${countWords(counts) || 'nothing'} of ${codes.length}\n`);
  if (codes.length === 0) notes.write('assay: nothing to check\n');
  return strongestExit(codes);
}

interface CheckedLine {
  readonly url: string | null;
  readonly checked: Checked;
}

/** One line of output per line of input, so that programs can join the two. */
function printLine(
  { url, checked }: CheckedLine,
  options: PrintOptions,
  context: CommandContext,
  progress: Progress,
) {
  const { out } = context;
  const { word, exit, line } = lineOf(checked);
  if (word === null) return { word, exit };
  progress.clear();
  const place = url === null ? '' : `${shownUrl(url)}  `;
  if (options.asking.json) {
    const body = 'body' in checked ? checked.body : null;
    out.write(
      bodyLine(body ?? JSON.stringify({ error: line, code: CODES[exit] ?? 'failed' }), out.isTerminal),
    );
  } else if (options.quiet) out.write(`${word}\n`);
  else if (checked.kind === 'verdict') {
    out.write(`${verdictLine(checked.findings, url ?? '', options.asking.view())}\n`);
  } else out.write(`- ${word.padEnd(7)}  ${place}${line}\n`);
  return { word, exit };
}

const CODES: Readonly<Partial<Record<ExitCode, string>>> = {
  [EXIT.usage]: 'bad_request',
  [EXIT.unreachable]: 'service_unreachable',
};

function lineOf(checked: Checked): { word: string | null; exit: ExitCode; line: string } {
  switch (checked.kind) {
    case 'verdict':
      return { word: checked.findings.verdict, exit: EXIT[checked.findings.verdict], line: '' };
    case 'payment':
      return { word: 'payment', exit: EXIT.payment, line: `payment required${priceText(checked.price)}` };
    case 'refused':
      return { word: 'error', exit: checked.exit, line: checked.line };
    case 'stopped':
      return { word: null, exit: EXIT.stopped, line: '' };
  }
}
