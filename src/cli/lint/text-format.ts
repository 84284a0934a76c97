import { REFUSALS } from '../../core/lint/client-findings.ts';
import { CLIENTS, type ClientReading } from '../../core/lint/clients/client-reading.ts';
import type { Finding } from '../../core/lint/finding.ts';
import type { Paint } from '../show/paint.ts';
import { cutEnd, cutMiddle, plainText, shortAddress, textCells, wrap } from '../show/plain-text.ts';
import { countText, type LintResult } from './lint-result.ts';

export interface TextView {
  readonly paint: Paint;
  readonly columns: number;
}

const SYMBOLS = { pay: '✓', skip: '✗', recheck: '↻' } as const;
const INDENT = '         ';

/** The report for a person. */
export function textFormat(result: LintResult, view: TextView): string {
  const cells = textCells(view.columns);
  const { report, target, method, isFile, requests } = result;
  const { verdict, words, findings, made } = report;
  const { paint } = view;
  const colour = { pay: paint.good, skip: paint.bad, recheck: paint.wait }[verdict.verdict];
  const word = colour(`${SYMBOLS[verdict.verdict]} ${verdict.verdict.toUpperCase()}`);
  const place = cutMiddle(plainText(target), cells - INDENT.length - 8);
  const failed = new Set(findings.map(({ check }) => check));
  const passed = [...made].filter((check) => !failed.has(check)).length;
  const lines = [
    `${word}  ${paint.dim(verdict.reason)}`,
    ...wrap(words, cells),
    '',
    `  ${paint.dim(isFile ? 'file   ' : 'target ')} ${isFile ? place : `${method} ${place}`}`,
    `  ${paint.dim('sent   ')} ${requests} unpaid ${requests === 1 ? 'request' : 'requests'}`,
    ...findings.flatMap((finding) => ['', ...findingLines(finding, cells, paint)]),
    ...clientLines(result, paint, cells),
    '',
    `${paint.strong(countText(result))}; ${passed} ${passed === 1 ? 'check' : 'checks'} passed`,
  ];
  return `${lines.join('\n')}\n`;
}

function findingLines({ check, level, problem, fix, path, source }: Finding, cells: number, paint: Paint) {
  const colour = { error: paint.bad, warning: paint.wait, note: paint.dim }[level];
  const place = path === null ? source : `${source} ${plainText(path)}`;
  const indented = (text: string) => wrap(text, cells - INDENT.length).map((line) => `${INDENT}${line}`);
  return [
    `${colour(level.padEnd(INDENT.length))}${paint.strong(check)}  ${paint.dim(cutMiddle(place, cells / 2))}`,
    ...indented(problem),
    ...indented(`Fix: ${fix}`),
  ];
}

function clientLines({ report: { clients } }: LintResult, paint: Paint, cells: number): string[] {
  if (clients === null || clients.size === 0) return [];
  const rows = [...clients].map(([name, reading]) => {
    const text = `  ${CLIENTS[name].padEnd(22)} ${readingText(reading, cells)}`;
    return cutEnd(text, cells);
  });
  return ['', paint.dim('What payers would sign, with a wallet on Base and their own defaults:'), ...rows];
}

function readingText(reading: ClientReading, cells: number): string {
  if (reading.kind === 'refuses') return `nothing: ${REFUSALS[reading.why][0]}`;
  const { source, entry, by, pays } = reading;
  const how = by === 'permit2' ? ' by Permit2' : '';
  return `${source}, entry ${entry}: ${pays.amountAtomic} to ${shortAddress(pays.payTo, cells)}${how}`;
}
