import { DOCUMENT_CODES } from './document-codes.ts';
import { ENTRY_CODES } from './entry-codes.ts';
import type { Explanation } from './explanation.ts';

/** A closed list: what can be said about a 402 has a code, and a text of ours. */
export type DiagnosticCode = keyof typeof DOCUMENT_CODES | keyof typeof ENTRY_CODES;

export interface Diagnostic {
  readonly code: DiagnosticCode;
  readonly source: 'answer' | 'header' | 'body';
  /** A JSON path in the document of the header or the body, with names of ours only; null where the whole is meant. */
  readonly path: string | null;
}

export const DIAGNOSTICS: Readonly<Record<DiagnosticCode, Explanation>> = {
  ...DOCUMENT_CODES,
  ...ENTRY_CODES,
};

/** Whether its code is one of ours. */
export function isDiagnostic(said: Omit<Diagnostic, 'code'> & { readonly code: string }): said is Diagnostic {
  return Object.hasOwn(DIAGNOSTICS, said.code);
}
