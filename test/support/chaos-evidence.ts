import { BOUNDS, type Evidence, type LedgerRow, type Transfer } from '../../lab/chaos/evidence.ts';
import { newJournal, type PaymentNote, type Said } from '../../lab/chaos/journal.ts';

/** What a round of chaos leaves behind, for tests of its checker: all is well, but for the changes. */
const PAY_TO = '0xService';
export const NOON = 1_794_744_000_000;
export const paidText = (tx: string) => `{"access":{"tier":"paid","charged_usd":"0.02","tx":"${tx}"}}`;

export function said(changes: Partial<Said> = {}): Said {
  const usual = {
    replica: 'replica-1',
    status: 200,
    at: NOON,
    isPaid: true,
    text: paidText('0xt1'),
    settlement: 's1',
  };
  return { ...usual, ...changes };
}

export const LATER: Said = said({ status: 503, isPaid: false, text: '{}', settlement: null });
export const REFUSED: Said = said({ status: 402, isPaid: false, text: '{}', settlement: null });

export function payment(nonce: string, words: (Said | null)[]): PaymentNote {
  const signed = { header: 'h', nonce, payer: '0xBuyer', offered: 20_000n, value: 20_000n, payTo: PAY_TO };
  return { signed, signedAt: NOON, said: words };
}

export function transfer(changes: Partial<Transfer> = {}): Transfer {
  return { nonce: 'n1', from: '0xBuyer', to: '0xSERVICE', value: 20_000n, tx: '0xt1', ...changes };
}

export const ROW: LedgerRow = { nonce: 'n1', state: 'settled', tx: '0xt1', isOpen: false };
export const REPLAY = { ...said({ replica: 'replica-2' }), nonce: 'n1' };

/** One purchase that went through after some trouble, and nothing else to say. */
export function evidence(changes: Partial<Evidence> = {}, ...payments: PaymentNote[]): Evidence {
  const journal = newJournal();
  const made = payments.length > 0 ? payments : [payment('n1', [null, LATER, said()])];
  journal.purchases.push({ path: '/v1/lookup/paid', way: 'http', caller: 1, payments: made });
  return {
    journal,
    transfers: [transfer()],
    payTo: PAY_TO,
    ledger: [ROW],
    replays: [REPLAY],
    lateAnswers: new Map(),
    receipts: [],
    seen: [],
    runs: [{ id: 'r1', receipts: 19 }],
    listed: 19,
    taken: [],
    held: null,
    runner: null,
    log: null,
    bounds: BOUNDS,
    ...changes,
  };
}

export const rulesOf = (found: readonly { readonly rule: string }[]) => [
  ...new Set(found.map(({ rule }) => rule)),
];
