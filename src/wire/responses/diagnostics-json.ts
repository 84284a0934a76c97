import { z } from 'zod';
import { DIAGNOSTICS, type Diagnostic, type DiagnosticCode } from '../../core/diagnose/diagnostic.ts';

// The keys of the table are exactly the codes.
const codes = Object.keys(DIAGNOSTICS) as DiagnosticCode[];

export const diagnosticShape = z.object({
  code: z.enum(codes).describe('Stable; explained at /docs under its name'),
  level: z
    .enum(['error', 'warning'])
    .describe('An error is a reason not to pay; a warning stops some clients'),
  source: z
    .enum(['answer', 'header', 'body'])
    .describe('The response as a whole, or the document with the terms'),
  path: z.string().nullable().describe('JSON path in that document; null where all of it is meant'),
  problem: z.string().describe('What is wrong, in our words'),
  fix: z.string().describe('What to change'),
});

/** A member of several answers; left out where there is nothing to change. */
export const diagnosticsMember = {
  diagnostics: z.array(diagnosticShape).optional().describe('What the seller has to fix'),
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
