import type { DiagnosticCode } from './diagnostic.ts';

/** What is wrong with one entry; `at` is the path below the entry, empty for all of it. */
export interface EntryFault {
  readonly code: DiagnosticCode;
  readonly at: string;
}
