import { type ProvePorts, proveReceipt } from '../../../flows/log/prove-receipt.ts';
import { proofJson } from '../../../wire/responses/proofs/proof-response.ts';
import {
  answerProblem,
  answerRendered,
  type Handler,
  rendered,
  renderedJson,
} from '../../exchange/answer.ts';
import { FOR_A_MINUTE } from '../../exchange/caching.ts';
import { answerWhyMissing } from '../missing-receipt.ts';

const RETRY_SECONDS = 2;
const ARCHIVED_AS = { bundle: 'proof', 'tlog-proof': 'proof.tlog-proof' } as const;

/** GET /v1/receipts/{id}/proof: one file that verifies a receipt offline; .tlog-proof is the C2SP proof alone. */
export function proofRoute(
  ports: ProvePorts,
  archiveUrl: string | null,
  form: 'bundle' | 'tlog-proof',
): Handler {
  return async (exchange, id) => {
    const proof = await proveReceipt(id, ports);
    switch (proof.kind) {
      case 'unknown':
        return answerProblem(exchange, {
          code: 'not_found',
          detail: 'No receipt with a statement has this id.',
        });
      case 'withdrawn':
      case 'retired':
        return answerWhyMissing(exchange, id, proof, archiveUrl, (name) => `${name}/${ARCHIVED_AS[form]}`);
      case 'not_yet':
        return answerProblem(exchange, {
          code: 'not_logged_yet',
          detail: 'The receipt waits for its place in the log; try again in two seconds.',
          retryAfterSeconds: RETRY_SECONDS,
        });
      case 'proved':
        // A later proof is under a larger checkpoint.
        return answerRendered(
          exchange,
          form === 'bundle'
            ? renderedJson(proofJson(proof), FOR_A_MINUTE)
            : rendered(proof.proof, 'text/plain; charset=utf-8', FOR_A_MINUTE),
        );
    }
  };
}
