import * as z from 'zod';
import { answerPath } from './answer-path.ts';
import { reference, referenceName } from './reference.ts';

const scalar = z.union([z.string().max(500), z.number(), z.boolean()]);
/** A literal, or the value of a free and independent source at the time of the call. */
const target = z.union([z.strictObject({ value: scalar }), z.strictObject({ reference: referenceName })]);
const numericTarget = z.union([
  z.strictObject({ value: z.number() }),
  z.strictObject({ reference: referenceName }),
]);

const path = answerPath;
/** Addresses and hashes are compared without letter case. */
const ignoreCase = z.boolean().default(false);

/** What an answer must satisfy. Every kind has an example in docs/known-answers.md. */
export const predicate = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('equals'), path, to: target, ignore_case: ignoreCase }),
  z.strictObject({
    kind: z.literal('contains'),
    path,
    text: z.string().min(1).max(200),
    ignore_case: ignoreCase,
  }),
  z.strictObject({ kind: z.literal('on_host'), path, host: z.string().regex(/^[a-z0-9.-]{1,253}$/) }),
  z
    .strictObject({ kind: z.literal('number_between'), path, min: z.number(), max: z.number() })
    .refine(({ min, max }) => min <= max, { path: ['max'], message: 'must not be below min' }),
  z
    .strictObject({
      kind: z.literal('number_near'),
      path,
      to: numericTarget,
      tolerance: z.number().nonnegative().optional(),
      tolerance_percent: z.number().nonnegative().max(100).optional(),
    })
    .refine((near) => (near.tolerance === undefined) !== (near.tolerance_percent === undefined), {
      path: ['tolerance'],
      message: 'must be given, either as it is or as tolerance_percent',
    }),
  z.strictObject({
    kind: z.literal('time_near'),
    path,
    to: z.strictObject({ reference: referenceName }),
    seconds: z.number().nonnegative(),
  }),
  z.strictObject({ kind: z.literal('not_older_than'), path, seconds: z.number().int().positive() }),
  z.strictObject({
    kind: z.literal('sorted_by'),
    path,
    by: path,
    order: z.enum(['ascending', 'descending']),
  }),
  z.strictObject({ kind: z.literal('at_least'), path, items: z.number().int().positive() }),
  z.strictObject({ kind: z.literal('every_item_has'), path, has: path }),
]);

export type Predicate = z.infer<typeof predicate>;
export type Reference = z.infer<typeof reference>;

const REFERENCES_MAX = 5;

export const knownAnswerTest = z
  .strictObject({
    /** The request and the rule in plain words. */
    input: z.string().min(1).max(200),
    pass_if: z.string().min(1).max(300),
    predicates: z.array(predicate).min(1).max(10),
    references: z
      .record(referenceName, reference)
      .refine((all) => Object.keys(all).length <= REFERENCES_MAX, {
        message: `must be at most ${REFERENCES_MAX}`,
      })
      .default({}),
  })
  .superRefine(({ predicates, references }, context) => {
    for (const [index, one] of predicates.entries()) {
      const name = referenceIn(one);
      if (name === null || Object.hasOwn(references, name)) continue;
      const place = ['predicates', index, 'to', 'reference'];
      context.addIssue({ code: 'custom', path: place, message: `names ${name}, which is not declared` });
    }
    const used = new Set(predicates.map(referenceIn));
    for (const name of Object.keys(references).filter((declared) => !used.has(declared))) {
      context.addIssue({ code: 'custom', path: ['references', name], message: 'is used by no predicate' });
    }
  });

export type KnownAnswerTest = z.infer<typeof knownAnswerTest>;

/** The reference that a predicate compares with; null when it needs none. */
export function referenceIn(one: Predicate): string | null {
  return 'to' in one && 'reference' in one.to ? one.to.reference : null;
}
