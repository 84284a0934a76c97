import { isJsonObject, type JsonObject, parseJson } from '../../core/x402/read-json.ts';
import { type Asking, bodyText, isWatched, printUnanswered, readAsking } from '../ask/asking.ts';
import { assumedUrl, typedUrl } from '../ask/assumed-url.ts';
import { type AskOptions, type CheckEndpoint, checkByService, checkLocally } from '../ask/check-endpoint.ts';
import { createLocalCheck } from '../ask/local-check.ts';
import { readTargets, type Target, type TargetLine } from '../ask/read-targets.ts';
import type { CommandContext } from '../command-context.ts';
import type { ExitCode, Outcome } from '../exit-code.ts';
import type { Arguments } from '../read-arguments.ts';
import { createProgress } from '../show/progress.ts';
import { terminalCard } from '../show/terminal-card.ts';
import { checkMany } from './check-many.ts';
import { type CheckPrinting, exitOf } from './check-printing.ts';

/** assay check: one URL gets a card, many get a line each. */
export async function check(given: Arguments, context: CommandContext): Promise<Outcome> {
  const reading = readAsking(given, context, { keyed: true });
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
  const strict = given.has('--strict');
  const printing = { asking, quiet, strict, watched: isWatched(given, context) };
  const urls = urlsIn(given, context);
  const [url, ...others] = urls ?? [];
  const isOne = url !== undefined && others.length === 0;
  const ask = await checkerOf(given, receiptsFor(printing, isOne), asking, context);
  if (isOne) return checkOne({ ...options, url }, ask, printing, context);
  const lines =
    urls === null
      ? readTargets(context.input.chunks(), options)
      : wordTargets(urls.map((one) => ({ ...options, url: one })));
  return checkMany(lines, ask, { ...printing, total: urls?.length ?? null }, context);
}

/** Null for standard input. */
function urlsIn({ words, has }: Arguments, context: CommandContext): readonly string[] | null {
  if (words.length === 0 || words[0] === '-') return null;
  return words.map((word) => (has('--quiet') ? (assumedUrl(word) ?? word) : typedUrl(word, context)));
}

async function checkerOf(
  given: Arguments,
  receipts: AskOptions['receipts'],
  { service }: Asking,
  context: CommandContext,
): Promise<CheckEndpoint> {
  const dryRun = given.has('--dry-run');
  if (!given.has('--local')) return checkByService(service, { dryRun, receipts });
  return checkLocally(createLocalCheck(await context.outbound(), context), { dryRun, stop: context.stop });
}

/** A card shows all of a receipt; a line needs it only to know whether anything was compared. */
function receiptsFor({ asking, quiet, strict }: CheckPrinting, isOne: boolean): AskOptions['receipts'] {
  const isForPeople = !asking.json && !quiet;
  if (isForPeople && isOne) return 'all';
  return isForPeople || strict ? 'uncompared' : 'none';
}

function invalidWords(given: Arguments, { input }: CommandContext): string | null {
  if (given.words.length === 0 && input.isTerminal) return 'a URL is needed';
  if (given.words.length > 1 && given.words.includes('-')) return '- cannot be combined with URLs';
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

async function checkOne(
  target: Target,
  ask: CheckEndpoint,
  printing: CheckPrinting,
  context: CommandContext,
): Promise<ExitCode> {
  const { out } = context;
  const { asking, quiet, watched } = printing;
  const waiting = createProgress(context.notes, watched, 1);
  const checked = await ask(target);
  waiting.end();
  if (checked.kind !== 'verdict')
    return printUnanswered(checked, { asking, hint: hints(asking), away: [LOCALLY] }, context);
  if (asking.json) out.write(bodyText(checked.body, out.isTerminal));
  else if (quiet) out.write(`${checked.findings.verdict}\n`);
  else out.write(`${terminalCard(checked.findings, asking.view()).join('\n')}\n`);
  return exitOf(checked.findings, printing);
}

function hints({ service }: Asking): string[] {
  return [
    `any x402 client can pay for it: GET ${service.server}/v1/products/endpoint-spot-check?url=...`,
    'assay check --dry-run is free 50 times a day: the same unpaid request and a public receipt, but no approval',
    LOCALLY,
  ];
}

const LOCALLY = 'assay check --local checks from this machine, without a service';
