import { isJsonObject } from '../../core/x402/read-json.ts';
import { bodyText, priceText } from '../ask/asking.ts';
import type { CheckEndpoint, Checked } from '../ask/check-endpoint.ts';
import { inOrder } from '../ask/in-order.ts';
import { readAhead } from '../ask/read-ahead.ts';
import type { TargetLine } from '../ask/read-targets.ts';
import type { CommandContext } from '../command-context.ts';
import { EXIT, type ExitCode, strongestExit } from '../exit-code.ts';
import { countWords, createProgress, type Progress } from '../show/progress.ts';
import { shownUrl } from '../show/shown-url.ts';
import { isUncompared, verdictLine } from '../show/terminal-card.ts';
import { type CheckPrinting, exitOf } from './check-printing.ts';

const AT_ONCE = 4;

/** A line of output for each line of input, so that programs can join the two. */
export async function checkMany(
  lines: AsyncIterable<TargetLine>,
  ask: CheckEndpoint,
  { total, ...printing }: CheckPrinting & { readonly total: number | null },
  context: CommandContext,
): Promise<ExitCode> {
  const { notes, stop } = context;
  const progress = createProgress(notes, printing.watched, total);
  const codes: ExitCode[] = [];
  const counts = new Map<string, number>();
  let all = total;
  const expect = (count: number) => {
    all = count;
    progress.expect(count);
  };
  await inOrder({
    items: readAhead(lines, expect),
    limit: AT_ONCE,
    stop,
    work: async (line): Promise<CheckedLine> => {
      if (line.kind === 'invalid') {
        return { url: null, checked: { kind: 'refused', exit: EXIT.usage, line: line.problem, body: null } };
      }
      return { url: line.target.url, checked: await ask(line.target) };
    },
    emit: (line) => {
      if (line.checked.kind === 'stopped') {
        codes.push(EXIT.stopped);
        return;
      }
      progress.clear();
      const { word, exit } = printLine(line.url, line.checked, printing, context);
      codes.push(exit);
      counts.set(word, (counts.get(word) ?? 0) + 1);
      progress.advance(word);
    },
  });
  conclude(progress, { codes, counts, all: all ?? codes.length }, printing, context);
  return strongestExit(codes);
}

interface CheckedLine {
  readonly url: string | null;
  readonly checked: Checked;
}

interface Told {
  readonly codes: ExitCode[];
  readonly counts: ReadonlyMap<string, number>;
  /** How many there were to check, also when not all of them were. */
  readonly all: number;
}

function conclude(
  progress: Progress,
  { codes, counts, all }: Told,
  { quiet }: CheckPrinting,
  { notes, stop }: CommandContext,
): void {
  progress.end();
  if (stop.aborted) codes.push(EXIT.stopped);
  if (!quiet && codes.length > 0) notes.write(`assay: ${countWords(counts) || 'nothing'} of ${all}\n`);
  if (codes.length === 0) notes.write('assay: nothing to check\n');
}

function printLine(
  url: string | null,
  checked: Exclude<Checked, { kind: 'stopped' }>,
  printing: CheckPrinting,
  { out }: CommandContext,
): { readonly word: string; readonly exit: ExitCode } {
  const { word, exit, line } = lineOf(checked, printing);
  const { asking, quiet } = printing;
  const place = url === null ? '' : `${shownUrl(url)}  `;
  if (asking.json) out.write(bodyText(jsonLine(url, checked.body, { line, exit }), out.isTerminal));
  else if (quiet) out.write(`${word}\n`);
  else if (checked.kind === 'verdict') {
    out.write(`${verdictLine(checked.findings, url ?? '', asking.view())}\n`);
  } else out.write(`- ${word.padEnd(7)}  ${place}${line}\n`);
  const isSure = checked.kind !== 'verdict' || !isUncompared(checked.findings);
  return { word: isSure ? word : UNCOMPARED, exit };
}

const UNCOMPARED = 'pay with nothing compared';

/** The body on one line, with the URL that it is about; null for a line that has none. */
function jsonLine(
  url: string | null,
  body: string | null,
  { line, exit }: { readonly line: string; readonly exit: ExitCode },
): string {
  if (body === null) return JSON.stringify({ url, error: line, code: CODES[exit] ?? 'failed' });
  const parsed: unknown = JSON.parse(body);
  const about = { url };
  return JSON.stringify(isJsonObject(parsed) ? { ...about, ...parsed, ...about } : { url, body: parsed });
}

const CODES: Readonly<Partial<Record<ExitCode, string>>> = {
  [EXIT.usage]: 'bad_request',
  [EXIT.unreachable]: 'service_unreachable',
};

function lineOf(checked: Exclude<Checked, { kind: 'stopped' }>, printing: CheckPrinting) {
  switch (checked.kind) {
    case 'verdict':
      return { word: checked.findings.verdict, exit: exitOf(checked.findings, printing), line: '' };
    case 'payment':
      return { word: 'payment', exit: EXIT.payment, line: `payment required${priceText(checked.price)}` };
    case 'refused':
      return { word: 'error', exit: checked.exit, line: checked.line };
  }
}
