import { printTable } from '../../tools/measure.ts';

/** One line of a benchmark: what was measured, beside what it cannot be better than. */
export interface Finding {
  readonly what: string;
  /** With its unit. */
  readonly measured: string;
  readonly bare?: string;
  readonly ratio?: number;
  readonly bound?: string;
  /** Left out where nothing is promised. */
  readonly kept?: boolean;
}

export interface Report {
  /** How to read the table, in a sentence or two. */
  readonly about: string;
  readonly findings: readonly Finding[];
}

export type Bench = () => Promise<Report>;

export const HEADS = ['what', 'measured', 'bare limit', 'ratio', 'bound', 'kept'] as const;

export function cellsOf({ what, measured, bare, ratio, bound, kept }: Finding): readonly string[] {
  const verdict = kept === undefined ? '' : kept ? 'kept' : 'MISSED';
  return [what, measured, bare ?? '', ratio === undefined ? '' : ratio.toFixed(2), bound ?? '', verdict];
}

export function printReport({ about, findings }: Report): void {
  console.log(about);
  printTable(HEADS, findings.map(cellsOf));
}

export function misses({ findings }: Report): readonly string[] {
  return findings.filter(({ kept }) => kept === false).map(({ what }) => what);
}
