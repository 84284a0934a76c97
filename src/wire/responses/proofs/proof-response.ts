import * as z from 'zod';

const base64 = z.base64();

/** One file that verifies a receipt offline. */
export const proofShape = z.object({
  assay: z.literal('proof/1').describe('Format of this file.'),
  statement: base64.describe('The bytes of the statement, base64.'),
  promise: z.string().optional().describe('The signed promise, where it is still to be kept.'),
  proof: z
    .string()
    .describe('A c2sp.org/tlog-proof: the statement is in the log, or in the tree of its run.'),
  run: z
    .object({
      statement: base64.describe('The bytes of the statement of the run, base64.'),
      proof: z.string().describe('A c2sp.org/tlog-proof: the run is in the log.'),
    })
    .optional()
    .describe('Only of a crawl receipt: the run that it belongs to.'),
});

export interface ProofParts {
  readonly statement: string;
  readonly proof: string;
  readonly run?: { readonly statement: string; readonly proof: string };
}

export function proofJson({ statement, proof, run }: ProofParts): z.infer<typeof proofShape> {
  return {
    assay: 'proof/1',
    statement: encoded(statement),
    proof,
    ...(run === undefined ? {} : { run: { statement: encoded(run.statement), proof: run.proof } }),
  };
}

function encoded(text: string): string {
  return Buffer.from(text).toString('base64');
}
