import * as z from 'zod';
import {
  type Asking,
  bodyText,
  printUnanswered,
  printUnexpected,
  readAsking,
  unanswered,
} from '../ask/asking.ts';
import type { CommandContext } from '../command-context.ts';
import { EXIT, type Outcome } from '../exit-code.ts';
import { type Arguments, readCount } from '../read-arguments.ts';
import { ago } from '../show/age.ts';
import { type Column, table } from '../show/table.ts';

const ROWS_SHOWN = 50;
const ROWS_MAX = 5_000;
const PAGES_MAX = 100_000;

const count = z.int().nonnegative().catch(0);
const answer = z.object({
  crawled_at: z.iso.datetime().nullable().catch(null),
  endpoints_covered: count,
  skip: count,
  page: count,
  pages: count,
  skips: z
    .array(
      z.object({ id: z.string(), url: z.string(), reason: z.string(), source_list: z.string().catch('') }),
    )
    .max(5_000),
});
type Page = z.output<typeof answer>;

const COLUMNS: readonly Column[] = [
  { head: 'receipt' },
  { head: 'list', cut: 'end' },
  { head: 'reason', cut: 'end' },
  { head: 'url', cut: 'middle' },
];

/** assay skips */
export async function skips(given: Arguments, context: CommandContext): Promise<Outcome> {
  const reading = readAsking(given, context);
  if (reading.kind === 'invalid') return { invalid: reading.problem };
  const first = readCount(given.text('--page') ?? '1', PAGES_MAX);
  const limit = readCount(given.text('--limit') ?? String(ROWS_SHOWN), ROWS_MAX);
  if (first === null) return { invalid: '--page must be a whole number from 1' };
  if (limit === null) return { invalid: `--limit must be a whole number from 1 to ${ROWS_MAX}` };
  const { asking } = reading;
  const pages: Page[] = [];
  const shown = () => pages.reduce((sum, page) => sum + page.skips.length, 0);
  for (let number = first; pages.length === 0 || hasMore(pages, number, shown() < limit); number += 1) {
    const asked = await asking.service.ask('/v1/skips.json', {
      reason: given.text('--reason'),
      list: given.text('--list'),
      network: given.text('--network'),
      host: given.text('--host'),
      page: number === 1 ? null : String(number),
    });
    if (asked.kind === 'answered' && asked.status === 404 && number > 1) {
      return printNoPage(number, asked.text, asking, context);
    }
    if (asked.kind !== 'answered' || asked.status !== 200) {
      return printUnanswered(unanswered(asked, asking.service), { asking, hint: [] }, context);
    }
    if (asking.json) {
      context.out.write(bodyText(asked.text, context.out.isTerminal));
      return EXIT.done;
    }
    const { data } = answer.safeParse(asked.json);
    if (data === undefined) return printUnexpected(asking, context);
    pages.push(data);
  }
  printSkips(pages, limit, asking, context);
  return EXIT.done;
}

/** The end of a loop over pages, not a fault of the service. */
function printNoPage(number: number, body: string, { json }: Asking, { out, notes }: CommandContext) {
  if (json) out.write(bodyText(body, out.isTerminal));
  notes.write(`assay: page ${number} is beyond the last page\n`);
  return EXIT.failed;
}

/** Stops at an empty page, whatever page count the service claims. */
function hasMore(pages: readonly Page[], number: number, wanted: boolean): boolean {
  const last = pages.at(-1);
  return wanted && last !== undefined && last.skips.length > 0 && number <= last.pages;
}

function printSkips(
  pages: readonly Page[],
  limit: number,
  asking: Asking,
  { out, notes }: CommandContext,
): void {
  const [page] = pages;
  const { columns, now, paint } = asking.view();
  const found = pages.flatMap((one) => one.skips);
  const rows = found
    .slice(0, limit)
    .map(({ id, source_list, reason, url }) => [id, source_list, reason, url]);
  const [heads = '', ...lines] = table(COLUMNS, rows, columns);
  if (lines.length > 0) out.write(`${[paint.dim(heads), ...lines].join('\n')}\n`);
  const at = page?.crawled_at ?? null;
  if (page === undefined || at === null) {
    notes.write('assay: no crawl has been published yet\n');
    return;
  }
  const when = ago(new Date(at), now);
  notes.write(
    `assay: ${rows.length} shown; skip ${page.skip} of ${page.endpoints_covered} endpoints, crawled ${when}\n`,
  );
}
