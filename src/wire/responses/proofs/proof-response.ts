import { z } from 'zod';

const base64 = z.base64();

/** One file that verifies a receipt offline. */
export const proofShape = z.object({
  assay: z.literal('proof/1'),
  statement: base64.describe('The bytes of the statement'),
  promise: z.string().optional().describe('The signed promise, where it is still to be kept'),
  proof: z.string().describe('A c2sp.org/tlog-proof: the entry is in the log'),
  run: z
    .object({ statement: base64, proof: z.string() })
    .optional()
    .describe('Of a crawl receipt, whose own proof is in the tree of its run: the run is in the log'),
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
