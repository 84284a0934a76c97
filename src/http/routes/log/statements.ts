import { hash } from 'node:crypto';
import { type ReceiptPorts, statementById } from '../../../flows/read/read-receipts.ts';
import { answerProblem, answerRendered, type Handler, rendered } from '../../exchange/answer.ts';
import { FOR_EVER } from '../../exchange/caching.ts';
import { answerMissing, type MissingReceiptPorts } from '../missing-receipt.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

/** GET /v1/receipts/{id}/statement: the bytes that were stored and hashed, with their SHA-256 as ETag. */
export function statementRoute(receipts: ReceiptPorts, missing: MissingReceiptPorts): Handler {
  return async (exchange, id) => {
    const found = await statementById(id, receipts);
    if (found === 'unknown_receipt')
      return answerMissing(exchange, id, missing, (name) => `${name}/statement`);
    if (found === 'no_statement') {
      const detail = 'This receipt is of a release without statements.';
      return answerProblem(exchange, { code: 'no_statement', detail });
    }
    const etag = `"${hash('sha256', found, 'hex')}"`;
    return answerRendered(exchange, rendered(found, JSON_TYPE, { ...FOR_EVER, etag }));
  };
}
