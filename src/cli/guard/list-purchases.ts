import { formatUsd, type MicroUsd, microUsd } from '../../core/money/micro-usd.ts';
import { countsTowards } from '../../guard/ledger/counts-towards.ts';
import type { Ledger } from '../../guard/ledger/ledger.ts';
import type { Purchase } from '../../guard/ledger/purchase.ts';
import { bodyText, viewOf } from '../ask/asking.ts';
import type { CommandContext } from '../command-context.ts';
import { EXIT, type Outcome } from '../exit-code.ts';
import { type Arguments, readCount } from '../read-arguments.ts';
import { plainText, shortAddress } from '../show/plain-text.ts';
import { type Column, table } from '../show/table.ts';
import { type OpenedLedger, requireFile, withLedger } from './open-ledger.ts';
import { asOf, priceOf } from './purchase-words.ts';

const ROWS_SHOWN = 50;
const ROWS_MAX = 5_000;
/** As many as a ledger finds at once. */
const FOUND_MAX = 10_000;
const DAY_MS = 86_400_000;
/** Enough to tell purchases apart, and to ask for one. */
const ID_CELLS = 12;

/** assay guard ledger */
export async function guardLedger(given: Arguments, context: CommandContext): Promise<Outcome> {
  const limit = readCount(given.text('--limit') ?? String(ROWS_SHOWN), ROWS_MAX);
  if (limit === null) return { invalid: `--limit must be a whole number from 1 to ${ROWS_MAX}` };
  return withLedger(given, context, async (opened) => {
    const listed = await readLedger(opened, context.now());
    return print(listed, listed.purchases.slice(0, limit), given, context);
  });
}

/** assay guard open */
export async function guardOpen(given: Arguments, context: CommandContext): Promise<Outcome> {
  return withLedger(given, context, async (opened) => {
    const listed = await readLedger(opened, context.now());
    return print(listed, listed.open, given, context);
  });
}

interface Listed {
  readonly file: string;
  readonly frozen: boolean;
  readonly purchases: readonly Purchase[];
  readonly open: readonly Purchase[];
  readonly spent: MicroUsd;
  readonly held: MicroUsd;
  /** There may be more purchases of the last 24 hours than were read. */
  readonly isPartial: boolean;
}

async function readLedger({ file, ledger }: OpenedLedger, now: Date): Promise<Listed> {
  requireFile(file);
  const purchases = (await ledger.find({ limit: FOUND_MAX })).map((one) => asOf(one, now));
  const open = await openIn(ledger, now);
  const since = new Date(now.getTime() - DAY_MS);
  const recent = purchases.filter((one) => countsTowards({ ...ANY_LIMIT, since }, one));
  return {
    file,
    frozen: await ledger.frozen(),
    purchases,
    open,
    // The limits count it, too, but nothing is signed yet: it is only held.
    spent: sumOf(recent.filter(({ state }) => state !== 'reserved')),
    held: sumOf(open),
    isPartial: purchases.length === FOUND_MAX && recent.length === FOUND_MAX,
  };
}

const ANY_LIMIT = { code: 'over_day_limit', max: microUsd(0n) } as const;

async function openIn(ledger: Ledger, now: Date): Promise<readonly Purchase[]> {
  const open = await ledger.find({ state: 'open', limit: FOUND_MAX });
  return open.map((one) => asOf(one, now)).filter(({ state }) => state !== 'expired');
}

function sumOf(purchases: readonly Purchase[]): MicroUsd {
  return purchases.reduce((sum, { amount }) => microUsd(sum + amount), microUsd(0n));
}

function print(
  listed: Listed,
  shown: readonly Purchase[],
  given: Arguments,
  context: CommandContext,
): Outcome {
  const { out } = context;
  if (given.has('--json')) {
    out.write(bodyText(JSON.stringify(listJson(listed, shown)), out.isTerminal));
    return EXIT.done;
  }
  const { columns, paint, now } = viewOf(given, context);
  const [heads = '', ...lines] = table(
    COLUMNS,
    shown.map((one) => rowOf(one, now, columns)),
    columns,
  );
  if (lines.length > 0) out.write(`${[paint.dim(heads), ...lines].join('\n')}\n`);
  else out.write('no purchases\n');
  const least = listed.isPartial ? 'at least ' : '';
  out.write(`spent in 24 hours: ${least}$${formatUsd(listed.spent)}\n`);
  if (listed.open.length > 0)
    out.write(`open: ${listed.open.length}, with $${formatUsd(listed.held)} held for them\n`);
  if (listed.frozen) out.write(`${paint.bad('frozen: no payment is made until assay guard unfreeze')}\n`);
  return EXIT.done;
}

const COLUMNS: readonly Column[] = [
  { head: 'time (UTC)' },
  { head: 'state' },
  { head: 'price', align: 'right' },
  { head: 'url', cut: 'middle' },
  { head: 'payee' },
  { head: 'id' },
];

function rowOf(purchase: Purchase, now: Date, columns: number): string[] {
  return [
    timeOf(purchase.createdAt, now),
    purchase.state,
    priceOf(purchase),
    plainText(purchase.url).replace(/^https?:\/\//, ''),
    shortAddress(purchase.terms.payTo, columns),
    Number.isFinite(columns) ? purchase.id.slice(0, ID_CELLS) : purchase.id,
  ];
}

/** The year only where it is not this one: the URL needs the room. */
function timeOf(moment: Date, now: Date): string {
  const text = moment.toISOString().slice(0, 16).replace('T', ' ');
  return moment.getUTCFullYear() === now.getUTCFullYear() ? text.slice('2026-'.length) : text;
}

function listJson({ file, frozen, spent, held, isPartial }: Listed, shown: readonly Purchase[]) {
  return {
    ledger: file,
    frozen,
    spent_24h_usd: formatUsd(spent),
    spent_24h_is_at_least: isPartial,
    held_usd: formatUsd(held),
    purchases: shown.map(({ id, state, createdAt, updatedAt, method, url, host, task, name, ...one }) => ({
      id,
      state,
      created_at: createdAt.toISOString(),
      updated_at: updatedAt.toISOString(),
      method,
      url,
      host,
      task,
      purchase: name,
      amount_usd: formatUsd(one.amount),
      network: one.terms.network,
      asset: one.terms.asset,
      pay_to: one.terms.payTo,
    })),
  };
}
