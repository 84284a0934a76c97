import { compile } from 'json-p3';
import * as z from 'zod';

/** A JSONPath (RFC 9535), compiled when the catalog is read: an invalid path never reaches grading. */
export const answerPath = z
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

export type AnswerPath = z.infer<typeof answerPath>;

/** Everything that a path selects. In a document that is nested too deeply it selects nothing. */
export function select({ query }: AnswerPath, document: unknown): readonly unknown[] {
  try {
    // A parsed JSON document is what the library means by JSONValue; it only declares it more narrowly than unknown.
    return query.query(document as Parameters<typeof query.query>[0]).values();
  } catch {
    return [];
  }
}
