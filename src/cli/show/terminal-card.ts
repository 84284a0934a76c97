import { formatUsd } from '../../core/money/micro-usd.ts';
import { UNCOMPARED_WORDS } from '../../core/receipt/uncompared.ts';
import type { Approved } from '../ask/answer-kinds.ts';
import type { Findings } from '../ask/findings.ts';
import { ago, clock, inTime } from './age.ts';
import { fixLines } from './fix-lines.ts';
import type { Paint } from './paint.ts';
import { cellsOf, cutEnd, cutMiddle, plainText, shortAddress, textCells, wrap } from './plain-text.ts';
import { shownUrl } from './shown-url.ts';
import { type TermRow, termRows } from './term-rows.ts';

/** Options of a card; ages are relative to `now`. */
export interface View {
  readonly paint: Paint;
  /** Infinite in a pipe: nothing is cut there. */
  readonly columns: number;
  readonly now: Date;
}

const SYMBOLS = { pay: '✓', skip: '✗', recheck: '↻' } as const;
const LABEL_CELLS = 12;

/** A decision for people: verdict, reason, comparison, what may be signed, and the receipt. */
export function terminalCard(findings: Findings, view: View): string[] {
  const cells = textCells(view.columns);
  const { method, url, offers, receiptUrl, receiptId, lookedAt, reused, left } = findings;
  const rows = termRows(findings.expected, offers, view.columns);
  const line = (label: string, text: string | null) =>
    text === null ? [] : [labelled(label, cutMiddle(plainText(text), cells - LABEL_CELLS), view)];
  const probed = lookedAt === null ? null : `${ago(lookedAt, view.now)}${reused ? ', cached' : ''}`;
  return [
    verdictWord(findings, view),
    ...wrap(reasonOf(findings), cells),
    '',
    ...line('endpoint', url === null ? null : `${plainText(method ?? 'GET')} ${shownUrl(url)}`),
    ...line('quoted', quotedText(rows, offers.length)),
    ...comparison(rows, findings, view, cells),
    ...approval(findings, view, cells),
    ...findings.fixes.flatMap((fix) => indented('fix', fixLines(fix, cells - LABEL_CELLS), view)),
    ...line('receipt', receiptUrl ?? receiptId),
    ...line('probed', probed),
    ...line('left', left === null ? null : `${left.remaining} of ${left.perDay} free today`),
  ];
}

/** One decision of many, as one line. */
export function verdictLine(findings: Findings, url: string, view: View): string {
  const word = findings.verdict.padEnd(7);
  const reason = isUncompared(findings)
    ? `nothing compared; ${forShell(findings).replace(UNCOMPARED_WORDS, '')}`
    : forShell(findings);
  const room = Math.max(20, view.columns - cellsOf(`x ${word}    `));
  const place = cutMiddle(shownUrl(url), Math.floor(room / 2));
  const said = cutEnd(plainText(reason), room - cellsOf(place));
  return `${painted(findings, `${symbolOf(findings)} ${word}`, view)}  ${place}  ${said}`;
}

function verdictWord(findings: Findings, view: View): string {
  const { verdict, code } = findings;
  const what = isUncompared(findings) ? ', nothing compared' : '';
  const word = painted(findings, `${symbolOf(findings)} ${verdict.toUpperCase()}${what}`, view);
  return code === null ? word : `${word}  ${view.paint.dim(plainText(code))}`;
}

/** Sound terms that nobody vouches for: neither the tick nor the green of an approval. */
export function isUncompared({ verdict, compared }: Findings): boolean {
  return verdict === 'pay' && compared === false;
}

/** The words of the rules name a parameter of the interface. */
function forShell({ reason }: Findings): string {
  return reason.replace('Send claimed_price to compare.', 'Use --claimed-price to compare.');
}

/** The free shape of a service has the words already. */
function reasonOf(findings: Findings): string {
  const reason = forShell(findings);
  return isUncompared(findings) && !reason.includes(UNCOMPARED_WORDS)
    ? `${reason} ${UNCOMPARED_WORDS}`
    : reason;
}

function symbolOf(findings: Findings): string {
  return isUncompared(findings) ? '?' : SYMBOLS[findings.verdict];
}

function painted(findings: Findings, text: string, { paint }: View): string {
  if (isUncompared(findings)) return paint.wait(text);
  return { pay: paint.good, skip: paint.bad, recheck: paint.wait }[findings.verdict](text);
}

function labelled(label: string, text: string, { paint }: View): string {
  return `  ${paint.dim(label.padEnd(LABEL_CELLS - 2))}${text}`;
}

function quotedText(rows: readonly TermRow[], offers: number): string | null {
  const price = rows.find(({ field }) => field === 'price');
  if (price === undefined) return null;
  const asked = price.live === '-' ? 'not in USDC' : `${price.live} a call`;
  return offers === 1 ? asked : `${asked}, one of ${offers} offers`;
}

/** Differences are marked in words, too: colours alone are not accessible. */
function comparison(
  rows: readonly TermRow[],
  { expectedFrom }: Findings,
  view: View,
  cells: number,
): string[] {
  const known = rows.filter(({ expected, live }) => expected !== '-' || live !== '-');
  if (known.length === 0) return [];
  const heads = [expectedFrom === 'listing' ? 'listed' : 'expected', 'live'] as const;
  const room = Math.max(8, Math.floor((cells - LABEL_CELLS - 14) / 2));
  const width = (side: 'expected' | 'live', head: string) =>
    Math.min(room, Math.max(head.length, ...known.map((row) => cellsOf(row[side]))));
  const [left, right] = [width('expected', heads[0]), width('live', heads[1])];
  const fill = (text: string, wanted: number) => {
    const cut = cutMiddle(text, wanted);
    return cut + ' '.repeat(wanted - cellsOf(cut));
  };
  const { paint } = view;
  return [
    '',
    `  ${' '.repeat(LABEL_CELLS - 2)}${paint.dim(`${fill(heads[0], left)}  ${heads[1]}`)}`,
    ...known.map(({ field, expected, live, differs }) => {
      const text = `${fill(expected, left)}  ${fill(live, right)}`;
      if (differs === true) return paint.bad(`! ${field.padEnd(LABEL_CELLS - 2)}${text}  differs`);
      return labelled(field, `${text}  ${differs === false ? 'same' : ''}`.trimEnd(), view);
    }),
    '',
  ];
}

const UNSIGNED = {
  live: 'only what the receipt approves; read it before you sign',
  'dry-run': 'nothing: a dry run is never an approval',
  crawl: 'nothing: the crawl never approves a payment',
} as const satisfies Record<Findings['mode'], string>;

function approval({ approved, verdict, mode, termsSha256 }: Findings, view: View, cells: number): string[] {
  if (verdict !== 'pay') return [];
  if (approved === null) {
    return [labelled('sign', cutEnd(UNSIGNED[mode], cells - LABEL_CELLS), view)];
  }
  const lines = signLines(approved, termsSha256, view);
  return indented(
    'sign',
    lines.map((text) => cutEnd(text, cells - LABEL_CELLS)),
    view,
  );
}

/** Several lines under one label. */
function indented(label: string, [first = '', ...others]: readonly string[], view: View): string[] {
  return [labelled(label, first, view), ...others.map((text) => `${' '.repeat(LABEL_CELLS)}${text}`)];
}

function signLines(
  { price, network, payTo, deadline }: Approved,
  hash: string | null,
  { now, columns }: View,
) {
  return [
    `$${formatUsd(price)} = ${price} atomic USDC on ${plainText(network)}`,
    `to ${shortAddress(payTo, columns)}`,
    deadline <= now ? 'expired: check again' : `before ${clock(deadline)}, ${inTime(deadline, now)}`,
    ...(hash === null
      ? []
      : [`terms ${cutMiddle(plainText(hash), Number.isFinite(columns) ? 24 : columns)}`]),
  ];
}
