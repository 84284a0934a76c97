import { type Asking, bodyLine, bodyText, priceText, readAsking, tellUnanswered } from '../ask/asking.ts';
import { type CheckEndpoint, type Checked, checkByService, checkLocally } from '../ask/check-endpoint.ts';
import { inOrder } from '../ask/in-order.ts';
import { createLocalCheck } from '../ask/local-check.ts';
import { readAhead } from '../ask/read-ahead.ts';
import { readTargets, type Target, type TargetLine } from '../ask/read-targets.ts';
import type { Surroundings } from '../command-context.ts';
import { EXIT, type ExitCode, type Outcome, strongestExit } from '../exit-code.ts';
import type { Arguments } from '../read-arguments.ts';
import { countWords, createProgress, type Progress } from '../show/progress.ts';
import { shownUrl, verdictCard, verdictLine } from '../show/terminal-card.ts';

const AT_ONCE = 4;

/** assay check: one URL gets a card, many get a line each. */
export async function check(given: Arguments, around: Surroundings): Promise<Outcome> {
  const reading = readAsking(given, around);
  if (reading.kind === 'wrong') return { wrong: reading.line };
  const wrong = wrongWords(given, around);
  if (wrong !== null) return { wrong };
  const { asking } = reading;
  const options = {
    claimedPrice: given.text('--claimed-price'),
    method: given.text('--method'),
    payTo: given.text('--pay-to'),
    network: given.text('--network'),
  };
  const quiet = given.has('--quiet');
  const [url, ...others] = given.words;
  const isOne = url !== undefined && url !== '-' && others.length === 0;
  const dryRun = given.has('--dry-run');
  const ask = given.has('--local')
    ? checkLocally(createLocalCheck(await around.reach(), around), { dryRun, stop: around.stop })
    : checkByService(asking.service, { dryRun, inFull: isOne && !quiet && !asking.json });
  if (isOne) return checkOne({ ...options, url }, ask, { asking, quiet }, around);
  const fromInput = url === undefined || url === '-';
  const lines = fromInput
    ? readTargets(around.input.chunks(), options)
    : wordTargets(given.words.map((word) => ({ ...options, url: word })));
  return checkMany(lines, ask, { asking, quiet, total: fromInput ? null : given.words.length }, around);
}

function wrongWords(given: Arguments, { input }: Surroundings): string | null {
  if (given.words.length === 0 && input.isTerminal) return 'a URL is needed';
  if (given.words.length > 1 && given.words.includes('-')) return '- cannot stand beside URLs';
  if (given.has('--local') && (given.has('--server') || given.has('--timeout'))) {
    return '--local asks no service, so --server and --timeout have no place beside it';
  }
  return null;
}

async function* wordTargets(targets: readonly Target[]): AsyncGenerator<TargetLine> {
  for (const target of targets) yield { kind: 'target', target };
}

interface Manner {
  readonly asking: Asking;
  readonly quiet: boolean;
}

async function checkOne(
  target: Target,
  ask: CheckEndpoint,
  { asking, quiet }: Manner,
  around: Surroundings,
): Promise<ExitCode> {
  const { out } = around;
  const waiting = createProgress(around.notes, isWatched(around, quiet), 1);
  const checked = await ask(target);
  waiting.end();
  if (checked.kind !== 'verdict') return tellUnanswered(checked, { asking, hint: hints(asking) }, around);
  if (asking.json) out.write(bodyText(checked.body, out.isTerminal));
  else if (quiet) out.write(`${checked.findings.verdict}\n`);
  else out.write(`${verdictCard(checked.findings, asking.view()).join('\n')}\n`);
  return EXIT[checked.findings.verdict];
}

function hints({ service }: Asking): string[] {
  return [
    `any x402 client can pay for it: GET ${service.server}/v1/products/endpoint-spot-check?url=...`,
    'assay check --dry-run asks without an approval, 50 times a day for free',
    'assay check --local looks from this machine, without any service',
  ];
}

/** A bar is for people: on a terminal that can move its cursor, and not for those who want to hear nothing. */
function isWatched({ notes, settings }: Surroundings, quiet: boolean): boolean {
  return notes.isTerminal && settings.cursor && !quiet;
}

async function checkMany(
  lines: AsyncIterable<TargetLine>,
  ask: CheckEndpoint,
  { asking, quiet, total }: Manner & { readonly total: number | null },
  around: Surroundings,
): Promise<ExitCode> {
  const { notes, stop } = around;
  const progress = createProgress(notes, isWatched(around, quiet), total);
  const codes: ExitCode[] = [];
  const counts = new Map<string, number>();
  await inOrder({
    items: readAhead(lines, progress.expect),
    limit: AT_ONCE,
    stop,
    work: async (line): Promise<Told> => {
      if (line.kind === 'wrong') {
        return { url: null, checked: { kind: 'refused', exit: EXIT.usage, line: line.line, body: null } };
      }
      return { url: line.target.url, checked: await ask(line.target) };
    },
    emit: (told) => {
      const { word, exit } = tellLine(told, { asking, quiet }, around, progress);
      codes.push(exit);
      if (word === null) return;
      counts.set(word, (counts.get(word) ?? 0) + 1);
      progress.advance(word);
    },
  });
  progress.end();
  if (stop.aborted) codes.push(EXIT.stopped);
  if (!quiet && codes.length > 0)
    notes.write(`assay: ${countWords(counts) || 'nothing'} of ${codes.length}\n`);
  if (codes.length === 0) notes.write('assay: there was nothing to check\n');
  return strongestExit(codes);
}

interface Told {
  readonly url: string | null;
  readonly checked: Checked;
}

/** Every line that was read gets a line, so that programs can put the two side by side. */
function tellLine({ url, checked }: Told, manner: Manner, around: Surroundings, progress: Progress) {
  const { out } = around;
  const { word, exit, line } = lineOf(checked);
  if (word === null) return { word, exit };
  progress.clear();
  const place = url === null ? '' : `${shownUrl(url)}  `;
  if (manner.asking.json) {
    const body = 'body' in checked ? checked.body : null;
    out.write(
      bodyLine(body ?? JSON.stringify({ error: line, code: CODES[exit] ?? 'failed' }), out.isTerminal),
    );
  } else if (manner.quiet) out.write(`${word}\n`);
  else if (checked.kind === 'verdict') {
    out.write(`${verdictLine(checked.findings, url ?? '', manner.asking.view())}\n`);
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
