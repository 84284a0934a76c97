import * as z from 'zod';
import { bodyText, printUnanswered, printUnexpected, readAsking, unanswered } from '../ask/asking.ts';
import type { CommandContext } from '../command-context.ts';
import { EXIT, type Outcome } from '../exit-code.ts';
import type { Arguments } from '../read-arguments.ts';
import { type Column, table } from '../show/table.ts';

const answer = z.record(z.string(), z.array(z.string()));
/** More than any catalog has; limits what a service can print. */
const ROWS_MAX = 10_000;
const IDS_MAX = 100;
const COLUMNS: readonly Column[] = [
  { head: 'task', cut: 'end' },
  { head: 'services', align: 'right' },
  { head: 'ids', cut: 'end' },
];

const away = ['assay tasks --local lists those that come with this program'];

/** assay tasks */
export async function tasks(given: Arguments, context: CommandContext): Promise<Outcome> {
  const reading = readAsking(given, context);
  if (reading.kind === 'invalid') return { invalid: reading.problem };
  const { asking } = reading;
  const { out } = context;
  const asked = await asking.service.ask('/v1/tasks', {});
  if (asked.kind !== 'answered' || asked.status !== 200) {
    return printUnanswered(unanswered(asked, asking.service), { asking, hint: [], away }, context);
  }
  if (asking.json) {
    out.write(bodyText(asked.text, out.isTerminal));
    return EXIT.done;
  }
  const { data } = answer.safeParse(asked.json);
  if (data === undefined) return printUnexpected(asking, context);
  const { columns, paint } = asking.view();
  const rows = Object.entries(data)
    .slice(0, ROWS_MAX)
    .map(([task, ids]) => [task, String(ids.length), ids.slice(0, IDS_MAX).join(', ')]);
  const [heads = '', ...lines] = table(COLUMNS, rows, columns);
  out.write(`${[paint.dim(heads), ...lines].join('\n')}\n`);
  return EXIT.done;
}
