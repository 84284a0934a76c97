import { compile } from 'json-p3';
import { z } from 'zod';

/** A JSONPath (RFC 9535), compiled when the catalog is read: a path with a mistake never reaches a grading. */
const path = z
  .string()
  .max(200)
  .transform((text, context) => {
    try {
      return { text, query: compile(text) };
    } catch {
      context.addIssue({ code: 'custom', message: 'must be a JSONPath of RFC 9535, such as $.items[*].url' });
      return z.NEVER;
    }
  });

const scalar = z.union([z.string().max(500), z.number(), z.boolean()]);
const referenceName = z.string().regex(/^[a-z0-9_]{1,40}$/);
/** Either written down here, or what a free and independent source said at the time of the call. */
const target = z.union([z.strictObject({ value: scalar }), z.strictObject({ reference: referenceName })]);
const numericTarget = z.union([
  z.strictObject({ value: z.number() }),
  z.strictObject({ reference: referenceName }),
]);

/** What an answer must satisfy. Every kind has an example in docs/known-answers.md. */
export const predicate = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('equals'), path, to: target }),
  z.strictObject({ kind: z.literal('contains'), path, text: z.string().min(1).max(200) }),
  z.strictObject({ kind: z.literal('on_host'), path, host: z.string().regex(/^[a-z0-9.-]{1,253}$/) }),
  z.strictObject({ kind: z.literal('number_between'), path, min: z.number(), max: z.number() }),
  z.strictObject({
    kind: z.literal('number_near'),
    path,
    to: numericTarget,
    tolerance: z.number().nonnegative(),
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
export type AnswerPath = z.infer<typeof path>;

export const knownAnswerTest = z.strictObject({
  /** The request and the rule in words, for people. */
  input: z.string().min(1).max(200),
  pass_if: z.string().min(1).max(300),
  predicates: z.array(predicate).min(1).max(10),
});

export type KnownAnswerTest = z.infer<typeof knownAnswerTest>;
