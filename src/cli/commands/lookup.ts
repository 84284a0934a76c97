import * as z from 'zod';
import {
  type Asking,
  bodyText,
  printUnanswered,
  printUnexpected,
  readAsking,
  unanswered,
} from '../ask/asking.ts';
import { typedUrl } from '../ask/assumed-url.ts';
import type { CommandContext } from '../command-context.ts';
import { EXIT, type Outcome } from '../exit-code.ts';
import type { Arguments } from '../read-arguments.ts';
import { ago } from '../show/age.ts';
import { cutEnd, plainText } from '../show/plain-text.ts';
import { type Column, table } from '../show/table.ts';

const rate = z.number().nullable().catch(null);
const count = z.int().catch(0);
const service = z.object({
  id: z.string(),
  endpoint: z.string().catch('-'),
  price_usd: z.string().catch('?'),
  delivered_rate: rate,
  passed_receipts: count,
  graded_receipts: count,
  newest_receipt_at: z.iso.datetime().nullable().catch(null),
});
const answer = z.object({
  matched: count,
  results: z.array(service).max(100),
  facts_only: z
    .array(service.extend({ facts_only_reason: z.string().catch('') }))
    .max(1_000)
    .catch([]),
  suggestions: z.array(z.string()).max(100).catch([]),
  links: z
    .object({ receipts_by_url: z.string().max(8_192) })
    .nullable()
    .catch(null),
  access: z.object({ free_remaining_today: z.int(), free_per_day: z.int() }).nullable().catch(null),
});

const COLUMNS: readonly Column[] = [
  { head: 'service', cut: 'end' },
  { head: 'USD', align: 'right' },
  { head: 'passed', align: 'right' },
  { head: 'delivered', align: 'right' },
  { head: 'last paid call' },
  { head: 'endpoint', cut: 'middle' },
];

/** assay lookup */
export async function lookup(given: Arguments, context: CommandContext): Promise<Outcome> {
  const reading = readAsking(given, context, { keyed: true });
  if (reading.kind === 'invalid') return { invalid: reading.problem };
  const { asking } = reading;
  const [task = null] = given.words;
  const endpoint = endpointOf(given, context);
  if ((task === null) === (endpoint === null)) return { invalid: 'either a task or --endpoint is needed' };
  const asked = await asking.service.ask('/v1/lookup', {
    task,
    endpoint,
    max_price: given.text('--max-price'),
    n: given.text('--n'),
    limit: given.text('--limit'),
  });
  if (asked.kind !== 'answered' || asked.status !== 200) {
    const parts = { asking, hint: hints(asking), away };
    return printUnanswered(unanswered(asked, asking.service), parts, context);
  }
  if (asking.json) {
    context.out.write(bodyText(asked.text, context.out.isTerminal));
    return EXIT.done;
  }
  const { data } = answer.safeParse(asked.json);
  if (data === undefined) return printUnexpected(asking, context);
  printServices(data, asking, context);
  return EXIT.done;
}

/** Ids have no dots, so what looks like a host is a URL. */
function endpointOf(given: Arguments, context: CommandContext): string | null {
  const endpoint = given.text('--endpoint');
  return endpoint === null ? null : typedUrl(endpoint, context);
}

const away = ['assay lookup --local searches the catalog that comes with this program'];

function hints({ service: { server } }: Asking): string[] {
  return [`any x402 client can pay for it: GET ${server}/v1/lookup?task=...`];
}

function printServices(found: z.output<typeof answer>, asking: Asking, { out, notes }: CommandContext): void {
  const { columns, now, paint } = asking.view();
  const lines = found.results.length === 0 ? [] : table(COLUMNS, found.results.map(rowOf(now)), columns);
  const [heads, ...rows] = lines;
  if (heads !== undefined) out.write(`${[paint.dim(heads), ...rows].join('\n')}\n`);
  for (const broken of found.facts_only) {
    const line = `! ${plainText(broken.id)} takes money and does not deliver: ${plainText(broken.facts_only_reason)}`;
    out.write(`${paint.bad(cutEnd(line, columns))}\n`);
  }
  if (found.matched === 0) notes.write('assay: no service matches\n');
  if (found.suggestions.length > 0) {
    notes.write(
      `  nearest tasks: ${cutEnd(found.suggestions.slice(0, 10).map(plainText).join(', '), 200)}\n`,
    );
  }
  const { access, links } = found;
  if (links !== null) notes.write(`  receipts of this URL: ${plainText(links.receipts_by_url)}\n`);
  if (access !== null) {
    notes.write(`assay: ${access.free_remaining_today} of ${access.free_per_day} free lookups left today\n`);
  }
}

function rowOf(now: Date) {
  return (found: z.output<typeof service>): string[] => [
    found.id,
    found.price_usd,
    found.graded_receipts === 0 ? '-' : `${found.passed_receipts}/${found.graded_receipts}`,
    found.delivered_rate === null ? '-' : `${Math.round(found.delivered_rate * 100)} %`,
    found.newest_receipt_at === null ? 'never' : ago(new Date(found.newest_receipt_at), now),
    found.endpoint,
  ];
}
