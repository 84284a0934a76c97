import { receiptKind } from '../../core/receipt/receipt-id.ts';
import { type ReceiptPorts, receiptById } from '../../flows/read/read-receipts.ts';
import { receiptCard } from '../../pages/cards/receipt-card.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Corrections } from '../../ports/log/corrections.ts';
import { type Answer, answerProblem } from '../exchange/answer.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { answerMissing, type MissingReceiptPorts } from '../routes/missing-receipt.ts';
import { approvedUntil, cachingOf } from '../routes/receipt-pages.ts';
import type { AnswerCard } from './answer-card.ts';

export interface ReceiptCardParts extends Pick<Clock, 'now'> {
  readonly answerCard: AnswerCard;
  readonly receipts: ReceiptPorts;
  readonly corrections: Pick<Corrections, 'of'>;
  readonly missing: MissingReceiptPorts;
}

export type ReceiptCards = (exchange: Exchange, id: string) => Promise<Answer>;

const NO_SUCH_RECEIPT = { code: 'not_found', detail: 'No receipt has this id.' } as const;

/** GET /v1/receipts/{id}.png: the receipt as a picture for link previews. */
export function createReceiptCards(parts: ReceiptCardParts): ReceiptCards {
  const { receipts, corrections, missing, answerCard, now } = parts;
  return async (exchange, id) => {
    if (receiptKind(id) === null) return answerProblem(exchange, NO_SUCH_RECEIPT);
    const found = await receiptById(id, receipts);
    // The archive has no pictures.
    if (found === null) return answerMissing(exchange, id, { ...missing, archiveUrl: null }, (name) => name);
    const [correction = null] = await corrections.of(id);
    const at = now();
    const svg = await receiptCard({ found, correction, links: exchange.links, now: at });
    const until = approvedUntil(found, at);
    return answerCard(exchange, svg, () => cachingOf(until, now()));
  };
}
