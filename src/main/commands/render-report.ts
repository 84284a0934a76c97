import { utcDay } from '../../core/access/utc-window.ts';
import { formatUsd } from '../../core/money/micro-usd.ts';
import type { AttributionReport, PayerReport } from '../../flows/operate/report-attribution.ts';
import type { LookupSubject, NamedTally, SubjectTally } from '../../ports/attribution.ts';

/** Fits a screen; the JSON has all rows. */
const ROWS_SHOWN = 20;

/** For a terminal. Callers' names are plain letters, digits and dashes, so nothing needs escaping. */
export function reportText(report: AttributionReport): string {
  const { since, lookups, refs, clients, subjects } = report;
  return [
    `${lookups} lookups since ${utcDay(since)}`,
    ...tallies('ref', refs.map(namedRow)),
    ...tallies('client', clients.map(namedRow)),
    ...tallies('task or endpoint', subjects.map(subjectRow)),
    ...payersText(report),
  ].join('\n');
}

type Row = readonly string[];

function tallies(what: string, rows: readonly Row[]): string[] {
  return rows.length === 0
    ? []
    : ['', ...aligned([[what, 'lookups'], ...rows.slice(0, ROWS_SHOWN)]), ...more(rows)];
}

function more({ length }: readonly Row[]): string[] {
  return length > ROWS_SHOWN ? [`... and ${length - ROWS_SHOWN} more`] : [];
}

function namedRow({ name, lookups }: NamedTally): Row {
  return [name ?? '(none)', String(lookups)];
}

function subjectRow({ subject, lookups }: SubjectTally): Row {
  return [subjectInWords(subject), String(lookups)];
}

function subjectInWords({ kind, name }: LookupSubject): string {
  if (kind === 'other') return '(too many at once to tell apart)';
  if (kind === 'task') return name;
  return name === null ? '(an endpoint that is not in the catalog)' : `endpoint ${name}`;
}

function payersText({ payers, morePayers, chain }: AttributionReport): string[] {
  if (chain.kind === 'not_asked') return ['', 'No caller named a wallet, so the chain was not queried.'];
  const heads = ['wallet', 'lookups', 'paid to', 'for', 'payments', 'USD'];
  const rows = payers.flatMap((one) => payerRows(one, chain.kind === 'read'));
  return [
    '',
    'Wallets that callers named (not proven to be theirs)',
    ...aligned([heads, ...rows]),
    ...(morePayers ? ['... and more, not followed'] : []),
    '',
    chain.kind === 'read'
      ? `Payments in USDC on Base to sellers of the catalog, since the wallet was named, from ${utcDay(chain.since)} on.`
      : `Their payments are unknown: ${PROBLEMS[chain.because]}.`,
  ];
}

function payerRows({ payer, lookups, paid }: PayerReport, known: boolean): Row[] {
  if (paid.length === 0) return [[payer, String(lookups), known ? 'nobody' : '?', '', '', '']];
  return paid.map(({ payTo, services, payments, amount }, index) => [
    index === 0 ? payer : '',
    index === 0 ? String(lookups) : '',
    payTo,
    services.join(', '),
    String(payments),
    formatUsd(amount),
  ]);
}

const PROBLEMS = {
  no_answer: 'the node at RPC_URL did not answer',
  not_base: 'the node at RPC_URL is not on Base',
  too_much: 'the node at RPC_URL would need too many queries',
} as const;

/** Numbers are right-aligned. */
function aligned(rows: readonly Row[]): string[] {
  const [heads = []] = rows;
  const widths = heads.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return NUMBERS.has(heads[column] ?? '') ? cell.padStart(width) : cell.padEnd(width);
      })
      .join('  ')
      .trimEnd(),
  );
}

const NUMBERS: ReadonlySet<string> = new Set(['lookups', 'payments', 'USD']);

/** The same for programs, with all rows. */
export function reportJson({
  since,
  lookups,
  refs,
  clients,
  subjects,
  payers,
  morePayers,
  chain,
}: AttributionReport) {
  const of = (kind: LookupSubject['kind']) => subjects.filter(({ subject }) => subject.kind === kind);
  return {
    since: utcDay(since),
    lookups,
    by_ref: refs.map(({ name, lookups: count }) => ({ ref: name, lookups: count })),
    by_client: clients.map(({ name, lookups: count }) => ({ client: name, lookups: count })),
    by_task: of('task').map(({ subject, lookups: count }) => ({ task: subject.name, lookups: count })),
    by_endpoint: of('endpoint').map(({ subject, lookups: count }) => ({
      endpoint: subject.name,
      lookups: count,
    })),
    not_told_apart: of('other').reduce((sum, tally) => sum + tally.lookups, 0),
    payers: payers.map(({ payer, lookups: count, firstAt, paid }) => ({
      payer,
      lookups: count,
      first_lookup_at: firstAt.toISOString(),
      paid:
        chain.kind === 'read'
          ? paid.map(({ payTo, services, payments, amount }) => ({
              pay_to: payTo,
              services,
              payments,
              usd: formatUsd(amount),
            }))
          : null,
    })),
    more_payers: morePayers,
    chain: {
      read_since: chain.kind === 'read' ? chain.since.toISOString() : null,
      problem: chain.kind === 'unavailable' ? chain.because : null,
    },
  };
}
