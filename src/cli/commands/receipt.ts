import * as z from 'zod';
import { receiptKind } from '../../core/receipt/receipt-id.ts';
import {
  type Asking,
  bodyText,
  printUnanswered,
  printUnexpected,
  readAsking,
  unanswered,
} from '../ask/asking.ts';
import { typedUrl } from '../ask/assumed-url.ts';
import { type Findings, readReceipt } from '../ask/findings.ts';
import type { CommandContext } from '../command-context.ts';
import { EXIT, type ExitCode, type Outcome } from '../exit-code.ts';
import type { Arguments } from '../read-arguments.ts';
import { ago } from '../show/age.ts';
import { plainText } from '../show/plain-text.ts';
import { type Column, table } from '../show/table.ts';
import { terminalCard } from '../show/terminal-card.ts';

const byUrl = z.object({
  latest_live: z.unknown(),
  latest_dry_run: z.unknown(),
  latest_crawl: z.unknown(),
  history: z
    .array(z.object({ id: z.string(), verdict: z.string(), timestamp: z.iso.datetime() }))
    .max(100)
    .catch([]),
});

const NOT_FOUND = 404;
const away = ['assay receipt --local shows the receipts of assay mcp on this machine'];

/** assay receipt: by id, by link, or by the URL that was checked. Exits with the code of the newest verdict. */
export async function receipt(given: Arguments, context: CommandContext): Promise<Outcome> {
  const reading = readAsking(given, context);
  if (reading.kind === 'invalid') return { invalid: reading.problem };
  const { asking } = reading;
  const { out, notes } = context;
  const [typed = ''] = given.words;
  const word = given.has('--verify') ? typed : typedUrl(typed, context);
  const id = idOf(word, asking);
  const invalid = problemIn(given, word, id);
  if (invalid !== null) return { invalid };
  if (given.has('--verify')) return verified(word, id, { given, context, asking });
  const asked =
    id === null
      ? await asking.service.ask('/v1/receipts/by-url', { url: word })
      : await asking.service.ask(`/v1/receipts/${id}`, {});
  const isThere = asked.kind === 'answered' && asked.status === 200;
  if (asked.kind === 'answered' && asked.status === NOT_FOUND) {
    if (asking.json) out.write(bodyText(asked.text, out.isTerminal));
    notes.write(
      id === null
        ? 'assay: no receipt for this URL yet; assay check makes one\n'
        : 'assay: no receipt has this id\n',
    );
    return EXIT.recheck;
  }
  if (!isThere)
    return printUnanswered(unanswered(asked, asking.service), { asking, hint: [], away }, context);
  const found = id === null ? receiptsIn(asked.json) : [{ title: null, findings: readReceipt(asked.json) }];
  const known = found.flatMap(({ title, findings }) => (findings === null ? [] : [{ title, findings }]));
  if (known.length === 0 && !asking.json) return printUnexpected(asking, context);
  if (asking.json) out.write(bodyText(asked.text, out.isTerminal));
  else printReceipts(known, asked.json, asking, context);
  return newestExit(
    known.map(({ findings }) => findings),
    asking.view().now,
  );
}

function problemIn(given: Arguments, word: string, id: string | null): string | null {
  if (given.has('--verify')) {
    return given.has('--local')
      ? '--verify needs a service or a saved file, so it cannot be combined with --local'
      : null;
  }
  if (PROOF_OPTIONS.some((option) => given.has(option)))
    return `${PROOF_OPTIONS.join(', ')} are only for --verify`;
  return id === null && !/^https?:\/\//i.test(word)
    ? 'the id of a receipt, such as sc-00010203fcfdfeff, or an http or https URL is needed'
    : null;
}

const PROOF_OPTIONS = ['--policy', '--promise', '--save', '--memory'];

/** Does not depend on the verdict: a sound proof of a `skip` is a sound proof. */
async function verified(
  word: string,
  id: string | null,
  { given, context, asking }: { given: Arguments; context: CommandContext; asking: Asking },
): Promise<Outcome> {
  const { isBundleFile, verifyFile, verifyReceipt } = await import('../proof/verify-receipt.ts');
  if (id !== null) return verifyReceipt(id, given, context, asking);
  if (isBundleFile(word)) return verifyFile(word, given, context, asking);
  return { invalid: 'the id of a receipt or a file of --save is needed to verify' };
}

/** Accepts an id, or the link of a receipt at this service. */
function idOf(word: string, { service: { server } }: Asking): string | null {
  const prefix = `${server}/v1/receipts/`;
  const id = word.startsWith(prefix) ? word.slice(prefix.length) : word;
  return receiptKind(id) === null ? null : id;
}

interface Titled {
  readonly title: string | null;
  readonly findings: Findings;
}

function receiptsIn(json: unknown): { title: string; findings: Findings | null }[] {
  const { data } = byUrl.safeParse(json);
  if (data === undefined) return [];
  return [
    { title: 'Last live check', findings: readReceipt(data.latest_live) },
    { title: 'Last dry run', findings: readReceipt(data.latest_dry_run) },
    { title: 'Last crawl', findings: readReceipt(data.latest_crawl) },
  ];
}

/** Only a live approval before its deadline is `pay`: not a dry run, not a crawl, not an unreadable receipt. */
function newestExit(findings: readonly Findings[], now: Date): ExitCode {
  const timeOf = ({ lookedAt }: Findings) => lookedAt?.getTime() ?? 0;
  const [newest] = findings.toSorted((left, right) => timeOf(right) - timeOf(left));
  if (newest === undefined) return EXIT.recheck;
  const { verdict, approved, mode } = newest;
  const isGood = approved !== null && mode === 'live' && approved.deadline.getTime() > now.getTime();
  return verdict === 'pay' && !isGood ? EXIT.recheck : EXIT[verdict];
}

const COLUMNS: readonly Column[] = [{ head: 'receipt' }, { head: 'verdict' }, { head: 'crawled' }];

function printReceipts(
  known: readonly Titled[],
  json: unknown,
  asking: Asking,
  { out }: CommandContext,
): void {
  const view = asking.view();
  const cards = known.map(({ title, findings }) =>
    [...(title === null ? [] : [view.paint.strong(title), '']), ...terminalCard(findings, view)].join('\n'),
  );
  const history = byUrl.safeParse(json).data?.history ?? [];
  const rows = history.map(({ id, verdict, timestamp }) => [
    id,
    plainText(verdict),
    ago(new Date(timestamp), view.now),
  ]);
  const earlier = rows.length > 1 ? [table(COLUMNS, rows, view.columns).join('\n')] : [];
  out.write(`${[...cards, ...earlier].join('\n\n')}\n`);
}
