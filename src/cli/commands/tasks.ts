import { z } from 'zod';
import { bodyText, readAsking, tellOdd, tellUnanswered, unanswered } from '../ask/asking.ts';
import type { Surroundings } from '../command-context.ts';
import { EXIT, type Outcome } from '../exit-code.ts';
import type { Arguments } from '../read-arguments.ts';
import { type Column, table } from '../show/table.ts';

const answer = z.record(z.string(), z.array(z.string()));
/** More than any catalog has, and less than a service could use to keep a terminal busy. */
const ROWS_MAX = 10_000;
const IDS_MAX = 100;
const COLUMNS: readonly Column[] = [
  { head: 'task', cut: 'end' },
  { head: 'services', align: 'right' },
  { head: 'ids', cut: 'end' },
];

/** assay tasks */
export async function tasks(given: Arguments, around: Surroundings): Promise<Outcome> {
  const reading = readAsking(given, around);
  if (reading.kind === 'wrong') return { wrong: reading.line };
  const { asking } = reading;
  const { out } = around;
  const asked = await asking.service.ask('/v1/tasks', {});
  if (asked.kind !== 'answered' || asked.status !== 200) {
    return tellUnanswered(unanswered(asked, asking.service), { asking, hint: [] }, around);
  }
  if (asking.json) {
    out.write(bodyText(asked.text, out.isTerminal));
    return EXIT.done;
  }
  const { data } = answer.safeParse(asked.json);
  if (data === undefined) return tellOdd(asking, around);
  const { columns, paint } = asking.view();
  const rows = Object.entries(data)
    .slice(0, ROWS_MAX)
    .map(([task, ids]) => [task, String(ids.length), ids.slice(0, IDS_MAX).join(', ')]);
  const [heads = '', ...lines] = table(COLUMNS, rows, columns);
  out.write(`${[paint.dim(heads), ...lines].join('\n')}\n`);
  return EXIT.done;
}
