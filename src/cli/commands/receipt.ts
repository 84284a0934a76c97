import { z } from 'zod';
import { receiptKind } from '../../core/receipt/receipt-id.ts';
import { type Asking, bodyText, readAsking, tellOdd, tellUnanswered, unanswered } from '../ask/asking.ts';
import { type Findings, readReceipt } from '../ask/findings.ts';
import type { Surroundings } from '../command-context.ts';
import { EXIT, type ExitCode, type Outcome } from '../exit-code.ts';
import type { Arguments } from '../read-arguments.ts';
import { ago } from '../show/age.ts';
import { plainText } from '../show/plain-text.ts';
import { type Column, table } from '../show/table.ts';
import { verdictCard } from '../show/terminal-card.ts';

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

/** assay receipt: by its id, its link, or the URL that was checked. The exit code is that of the newest verdict, as it is now. */
export async function receipt(given: Arguments, around: Surroundings): Promise<Outcome> {
  const reading = readAsking(given, around);
  if (reading.kind === 'wrong') return { wrong: reading.line };
  const { asking } = reading;
  const { out, notes } = around;
  const [word = ''] = given.words;
  const id = idOf(word, asking);
  if (id === null && !/^https?:\/\//i.test(word)) {
    return {
      wrong: 'a receipt has an id such as sc-00010203fcfdfeff, or is asked for with the http or https URL',
    };
  }
  const asked =
    id === null
      ? await asking.service.ask('/v1/receipts/by-url', { url: word })
      : await asking.service.ask(`/v1/receipts/${id}`, {});
  const isThere = asked.kind === 'answered' && asked.status === 200;
  if (asked.kind === 'answered' && asked.status === NOT_FOUND) {
    if (asking.json) out.write(bodyText(asked.text, out.isTerminal));
    notes.write(
      id === null
        ? 'assay: there is no receipt for this URL yet; assay check makes one\n'
        : 'assay: no receipt has this id\n',
    );
    return EXIT.recheck;
  }
  if (!isThere) return tellUnanswered(unanswered(asked, asking.service), { asking, hint: [] }, around);
  const found = id === null ? receiptsIn(asked.json) : [{ title: null, findings: readReceipt(asked.json) }];
  const known = found.flatMap(({ title, findings }) => (findings === null ? [] : [{ title, findings }]));
  if (known.length === 0 && !asking.json) return tellOdd(asking, around);
  if (asking.json) out.write(bodyText(asked.text, out.isTerminal));
  else tell(known, asked.json, asking, around);
  return newestExit(
    known.map(({ findings }) => findings),
    asking.view().now,
  );
}

/** The link of a receipt at this very service is as good as its id. */
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

/** Nothing that can be read is nothing that may be paid, and neither is a dry run, a crawl, or what was good until a while ago. */
function newestExit(findings: readonly Findings[], now: Date): ExitCode {
  const timeOf = ({ lookedAt }: Findings) => lookedAt?.getTime() ?? 0;
  const [newest] = findings.toSorted((left, right) => timeOf(right) - timeOf(left));
  if (newest === undefined) return EXIT.recheck;
  const { verdict, approved, isDryRun } = newest;
  const isGood = approved !== null && !isDryRun && approved.deadline.getTime() > now.getTime();
  return verdict === 'pay' && !isGood ? EXIT.recheck : EXIT[verdict];
}

const COLUMNS: readonly Column[] = [{ head: 'receipt' }, { head: 'verdict' }, { head: 'crawled' }];

function tell(known: readonly Titled[], json: unknown, asking: Asking, { out }: Surroundings): void {
  const view = asking.view();
  const cards = known.map(({ title, findings }) =>
    [...(title === null ? [] : [view.paint.strong(title), '']), ...verdictCard(findings, view)].join('\n'),
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
