import { withdrawalStub } from '../../core/statement/withdrawal-stub.ts';
import { type MissingPorts, type MissingReceipt, missingReceipt } from '../../flows/read/missing-receipt.ts';
import type { Problem } from '../../wire/responses/problem.ts';
import { type Answer, answer, answerProblem } from '../exchange/answer.ts';
import { FOR_A_DAY } from '../exchange/caching.ts';
import type { Exchange } from '../exchange/exchange.ts';

export interface MissingReceiptPorts extends MissingPorts {
  /** Where the files of retired receipts are; null when nowhere public. */
  readonly archiveUrl: string | null;
}

/** The address below /v1/receipts/ of what was asked for, as the archive has it. */
export type ArchivedName = (id: string) => string;

/** 404, 410, or the address in the archive. */
export async function answerMissing(
  exchange: Exchange,
  id: string,
  ports: MissingReceiptPorts,
  archivedAs: ArchivedName,
): Promise<Answer> {
  return answerWhyMissing(exchange, id, await missingReceipt(id, ports), ports.archiveUrl, archivedAs);
}

export function answerWhyMissing(
  exchange: Exchange,
  id: string,
  missing: MissingReceipt,
  archiveUrl: string | null,
  archivedAs: ArchivedName,
): Answer {
  switch (missing.kind) {
    case 'withdrawn': {
      const members = { withdrawal: withdrawalStub(missing.withdrawal) };
      return answerProblem(exchange, { code: 'withdrawn', detail: 'This receipt was withdrawn.', members });
    }
    case 'retired': {
      if (archiveUrl === null) return answerProblem(exchange, retired('This receipt was archived.'));
      const location = `${archiveUrl}/v1/receipts/${archivedAs(id)}`;
      // A tool follows no redirect.
      if (exchange.isForModel)
        return answerProblem(exchange, retired(`This receipt was archived; it is at ${location}.`));
      exchange.facts.code = 'retired';
      return answer(exchange, 308, null, { ...FOR_A_DAY, location, vary: 'Accept' });
    }
    case 'unknown':
      return answerProblem(exchange, { code: 'not_found', detail: 'No receipt has this id.' });
  }
}

function retired(detail: string): Problem {
  return { code: 'retired', detail };
}
