import * as z from 'zod';

/** One thing that a seller has to change. Texts are untrusted. */
export interface ToldFix {
  readonly path: string | null;
  readonly source: 'answer' | 'header' | 'body';
  readonly isWarning: boolean;
  readonly problem: string;
  readonly fix: string;
}

const FIXES_MAX = 16;

const toldFix = z
  .object({
    path: z.string().nullable().catch(null),
    source: z.enum(['answer', 'header', 'body']),
    level: z.string().catch('error'),
    problem: z.string(),
    fix: z.string(),
  })
  .transform(({ level, ...rest }): ToldFix => ({ ...rest, isWarning: level === 'warning' }));

/** The member `diagnostics` of an answer; entries that cannot be read are not shown. */
export const toldFixes = z
  .array(z.unknown())
  .transform((entries) =>
    entries.slice(0, FIXES_MAX).flatMap((entry): ToldFix[] => {
      const reading = toldFix.safeParse(entry);
      return reading.success ? [reading.data] : [];
    }),
  )
  .catch([]);
