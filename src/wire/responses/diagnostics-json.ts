import * as z from 'zod';
import { DIAGNOSTICS, type Diagnostic, type DiagnosticCode } from '../../core/diagnose/diagnostic.ts';
import { closedList } from './shapes.ts';

/** The first sentence of each explanation; the whole is in `problem`. */
function inShort(explanations: typeof DIAGNOSTICS): Readonly<Record<DiagnosticCode, string>> {
  const first = (text: string) => text.replace(/\.( .*)?$/s, '');
  const texts = Object.entries(explanations).map(([code, { problem }]) => [code, first(problem)]);
  // The same codes as before.
  return Object.fromEntries(texts) as Record<DiagnosticCode, string>;
}

export const diagnosticShape = z.object({
  code: closedList('Stable; explained at /docs under its name.', inShort(DIAGNOSTICS)),
  level: closedList('How bad it is.', {
    error: 'a reason not to pay',
    warning: 'no reason, but some clients cannot pay it',
  }),
  source: closedList('Where it was found.', {
    answer: 'the response as a whole',
    header: 'the terms in PAYMENT-REQUIRED',
    body: 'the terms in the body',
  }),
  path: z.string().nullable().describe('JSON path in these terms; null where all of them are meant.'),
  problem: z.string().describe('What is wrong, in our words.'),
  fix: z.string().describe('What to change.'),
});

/** A member of several answers; left out where there is nothing to change. */
export const diagnosticsMember = {
  diagnostics: z.array(diagnosticShape).optional().describe('What the seller has to fix; absent if nothing.'),
};

export function diagnosticsJson(diagnostics: readonly Diagnostic[]): {
  diagnostics?: z.infer<typeof diagnosticShape>[];
} {
  if (diagnostics.length === 0) return {};
  return {
    diagnostics: diagnostics.map(({ code, source, path }) => {
      const { level, problem, fix } = DIAGNOSTICS[code];
      return { code, level, source, path, problem, fix };
    }),
  };
}
