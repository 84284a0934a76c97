export type Level = 'error' | 'warning' | 'note';

/** Where something was seen. */
export type Source =
  | 'answer'
  | 'header'
  | 'body'
  | 'browser'
  | 'preflight'
  | 'head'
  | 'openapi'
  | 'well_known';

/** One thing that a seller should know, in our own words: nothing of a stranger's text is part of it. */
export interface Finding {
  readonly check: string;
  readonly level: Level;
  readonly problem: string;
  readonly fix: string;
  /** A JSON path in the document of the source; null where the whole is meant. */
  readonly path: string | null;
  readonly source: Source;
}

export function countOf(findings: readonly Finding[], level: Level): number {
  return findings.filter((finding) => finding.level === level).length;
}
