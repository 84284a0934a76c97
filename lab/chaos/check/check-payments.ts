import { z } from 'zod';
import type { Evidence, Transfer } from '../evidence.ts';
import type { PaymentNote, Said } from '../journal.ts';
import { type Violation, violation } from './violation.ts';

/** Money: whoever paid has the answer, whoever has no answer did not pay, and nobody paid twice. */
export function checkPayments(evidence: Evidence): Violation[] {
  return [
    ...undeliveredTransfers(evidence),
    ...chargedTwice(evidence),
    ...toldNotCharged(evidence),
    ...signedWhileOpen(evidence),
    ...changedAnswers(evidence),
    ...openEnds(evidence),
    ...ledgerAgainstChain(evidence),
  ];
}

/** Payments of the clients by what names them on the chain. */
function paymentsByNonce({ journal }: Evidence): Map<string, PaymentNote> {
  const all = journal.purchases.flatMap(({ payments }) => payments);
  return new Map(all.map((payment) => [payment.signed.nonce, payment]));
}

function takings({ transfers, payTo }: Evidence): Transfer[] {
  return transfers.filter(({ to }) => isSame(to, payTo));
}

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

const paidAnswer = z.object({ access: z.object({ tx: z.string() }) });

function undeliveredTransfers(evidence: Evidence): Violation[] {
  const payments = paymentsByNonce(evidence);
  return takings(evidence).flatMap((transfer) => {
    const payment = payments.get(transfer.nonce);
    if (payment === undefined) return [violation('a transfer belongs to no purchase', transfer)];
    const { offered, nonce } = payment.signed;
    if (transfer.value !== offered) {
      return [violation('a transfer is of another amount than was offered', { transfer, offered })];
    }
    const answers = [...payment.said, evidence.lateAnswers.get(nonce) ?? null];
    const answer = answers.find((one) => one?.isPaid === true);
    if (answer === undefined || answer === null)
      return [violation('a transfer bought no answer', { transfer, said: payment.said.map(shown) })];
    const tx = paidAnswer.safeParse(JSON.parse(answer.text)).data?.access.tx;
    return tx === transfer.tx ? [] : [violation('an answer names another transaction', { transfer, tx })];
  });
}

function chargedTwice(evidence: Evidence): Violation[] {
  const charged = new Set(takings(evidence).map(({ nonce }) => nonce));
  return evidence.journal.purchases.flatMap(({ path, payments }) => {
    const nonces = payments.map(({ signed }) => signed.nonce).filter((nonce) => charged.has(nonce));
    return nonces.length > 1 ? [violation('a purchase was charged twice', { path, nonces })] : [];
  });
}

/** The last word on a payment, or null while it is open. */
function verdictOn({ said }: PaymentNote, late: Said | null): 'paid' | 'not_charged' | null {
  const words = [...said, late].filter((one) => one !== null);
  if (words.some(({ isPaid }) => isPaid)) return 'paid';
  return words.some(({ status }) => !ASK_AGAIN.has(status)) ? 'not_charged' : null;
}

const ASK_AGAIN: ReadonlySet<number> = new Set([409, 503]);

function toldNotCharged(evidence: Evidence): Violation[] {
  const charged = new Set(takings(evidence).map(({ nonce }) => nonce));
  return [...paymentsByNonce(evidence).values()].flatMap((payment) => {
    const { nonce } = payment.signed;
    const refusal = [...payment.said, evidence.lateAnswers.get(nonce) ?? null].find(
      (one) => one !== null && !one.isPaid && !ASK_AGAIN.has(one.status),
    );
    const isWrong = refusal !== undefined && charged.has(nonce);
    return isWrong
      ? [
          violation('somebody was told "not charged" and was charged', {
            nonce,
            said: payment.said.map(shown),
          }),
        ]
      : [];
  });
}

function signedWhileOpen({ journal }: Evidence): Violation[] {
  return journal.purchases.flatMap(({ path, payments }) =>
    payments.slice(0, -1).flatMap((payment) =>
      verdictOn(payment, null) === 'not_charged'
        ? []
        : [
            violation('a client signed again while a payment was open', {
              path,
              nonce: payment.signed.nonce,
            }),
          ],
    ),
  );
}

/** Every answer to a payment, then and now, from every replica, is the same to the byte. */
function changedAnswers(evidence: Evidence): Violation[] {
  return [...paymentsByNonce(evidence).values()].flatMap((payment) => {
    const { nonce } = payment.signed;
    const first = payment.said.find((one) => one?.isPaid === true) ?? evidence.lateAnswers.get(nonce) ?? null;
    if (first === null || !first.isPaid) return [];
    const again = [
      ...payment.said.filter((one) => one?.isPaid === true),
      ...evidence.replays.filter((replay) => replay.nonce === nonce),
    ];
    const other = again.find(
      (one) => one?.status !== 200 || one.text !== first.text || one.settlement !== first.settlement,
    );
    return other === undefined || other === null
      ? []
      : [violation('a paid answer came back changed', { nonce, first: shown(first), again: shown(other) })];
  });
}

function openEnds(evidence: Evidence): Violation[] {
  return [...paymentsByNonce(evidence).values()].flatMap((payment) => {
    const { nonce } = payment.signed;
    const late = evidence.lateAnswers.get(nonce) ?? null;
    return verdictOn(payment, late) === null
      ? [
          violation('a payment has no outcome although all is quiet', {
            nonce,
            said: payment.said.slice(-5).map(shown),
          }),
        ]
      : [];
  });
}

function ledgerAgainstChain(evidence: Evidence): Violation[] {
  const onChain = new Map(takings(evidence).map((transfer) => [transfer.nonce, transfer]));
  const rows = new Map(evidence.ledger.map((row) => [row.nonce, row]));
  const open = evidence.ledger
    .filter(({ isOpen }) => isOpen)
    .map((row) => violation('the ledger has an open row', row));
  const wrong = evidence.ledger
    .filter(({ state, nonce, tx }) => state === 'settled' && onChain.get(nonce)?.tx !== tx)
    .map((row) => violation('the ledger has a settlement that the chain has not', row));
  const missing = [...onChain.values()]
    .filter(({ nonce }) => rows.get(nonce)?.state !== 'settled')
    .map((transfer) =>
      violation('the chain has a transfer that the ledger has not', {
        transfer,
        row: rows.get(transfer.nonce) ?? null,
      }),
    );
  return [...open, ...wrong, ...missing];
}

function shown(said: Said | null): object | null {
  if (said === null) return null;
  const { replica, status, at, text } = said;
  return { replica, status, at, text: text.slice(0, SHOWN_CHARS) };
}

const SHOWN_CHARS = 120;
