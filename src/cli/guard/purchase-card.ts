import { factsOf } from '../../guard/evidence/evidence-facts.ts';
import type { Purchase } from '../../guard/ledger/purchase.ts';
import { ago, clock, inTime } from '../show/age.ts';
import { cutMiddle, plainText, textCells, wrap } from '../show/plain-text.ts';
import type { View } from '../show/terminal-card.ts';
import { mayBeRepeated, priceOf, STATE_WORDS } from './purchase-words.ts';

const LABEL_CELLS = 12;

/** One purchase for people: what was bought, what became of it. Never the payment itself. */
export function purchaseCard(purchase: Purchase, view: View): string[] {
  const { now, paint } = view;
  const cells = textCells(view.columns);
  const line = (label: string, text: string | null): string[] => {
    if (text === null) return [];
    const shown = cutMiddle(plainText(text), cells - LABEL_CELLS);
    return [`  ${paint.dim(label.padEnd(LABEL_CELLS - 2))}${shown}`];
  };
  const { state, terms, authorization, witness } = purchase;
  return [
    paint.strong(state.toUpperCase().replaceAll('_', ' ')),
    ...wrap(STATE_WORDS[state], cells),
    ...(mayBeRepeated(purchase, now) ? wrap(REPEATABLE, cells) : []),
    '',
    ...line('id', purchase.id),
    ...line('request', `${purchase.method} ${purchase.url}`),
    ...line('purchase', purchase.name),
    ...line('task', purchase.task),
    ...line('price', `${priceOf(purchase)} in USDC on ${terms.network}`),
    ...line('payee', terms.payTo),
    ...line('payer', authorization?.from ?? null),
    ...line('approved', when(purchase.createdAt, now)),
    ...line('by', witness === null ? 'the rules on this machine' : `the rules here, and ${witness.service}`),
    ...line('receipt', witness?.permalink ?? witness?.receiptId ?? null),
    ...line(
      'snapshot',
      witness?.snapshot === undefined ? null : `as seen on ${witness.checkedAt.slice(0, 10)}`,
    ),
    ...line('valid', validity(purchase, now)),
    ...line('sent', attemptsText(purchase)),
    ...line('answer', answerText(purchase)),
    ...line('SHA-256', purchase.answer?.sha256 ?? null),
    ...line('settled', settlementText(purchase, now)),
    ...line('chain', chainText(purchase)),
    ...line('changed', when(purchase.updatedAt, now)),
  ];
}

const REPEATABLE = 'The same request sends the same payment again; it cannot be taken twice.';

function when(moment: Date, now: Date): string {
  return `${clock(moment)}, ${ago(moment, now)}`;
}

function validity({ authorization }: Purchase, now: Date): string | null {
  if (authorization === null) return null;
  const seconds = Number(authorization.validBefore);
  const until = new Date(Math.min(seconds * 1_000, LAST_MS));
  return until <= now ? `until ${clock(until)}: no longer` : `until ${clock(until)}, ${inTime(until, now)}`;
}

/** The last moment with a year of four digits. */
const LAST_MS = 253_402_300_799_000;

function attemptsText({ attempts }: Purchase): string | null {
  if (attempts.length === 0) return null;
  const answers = attempts.map(({ status }) => (status === null ? 'no answer' : String(status)));
  return `${attempts.length === 1 ? 'once' : `${attempts.length} times`}: ${answers.join(', ')}`;
}

function answerText({ answer }: Purchase): string | null {
  if (answer === null) return null;
  const { status, contentType, bytes } = answer;
  return [String(status), contentType, bytes === null ? null : `${bytes} bytes`]
    .filter((part) => part !== null)
    .join(', ');
}

function settlementText(purchase: Purchase, now: Date): string | null {
  const decoded = factsOf(purchase, now).answer?.payment_response?.decoded ?? null;
  if (decoded === null) return null;
  const { success, transaction } = decoded;
  const said = success === true ? 'yes' : success === false ? 'no' : 'unclear';
  return `${said}, says the seller${typeof transaction === 'string' ? `: ${transaction}` : ''}`;
}

function chainText({ chain }: Purchase): string | null {
  if (chain === null) return null;
  if (!chain.used) return `not taken, asked ${chain.askedAt}`;
  return `taken${chain.transaction === null ? '' : ` in ${chain.transaction}`}, asked ${chain.askedAt}`;
}
