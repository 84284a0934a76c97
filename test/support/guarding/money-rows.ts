import type { RefusalCode } from '../../../src/guard/guard-refused.ts';
import type { PayerName } from './buyers/stock-payers.ts';
import type { SellerName } from './sellers/seller-scripts.ts';

/** How a try of the caller ended: a status, the code of the guard's refusal, or another error. */
export type End = number | 'thrown' | RefusalCode;

/** What a row measures. Money is in millionths of a dollar, as the balances on the chain say it. */
export interface Outcome {
  /** One for each try. */
  readonly ends: readonly End[];
  /** Authorizations that the wallet signed, and transfers on the chain. */
  readonly signatures: number;
  readonly payments: number;
  readonly toSeller: bigint;
  readonly toThief: bigint;
  /** Payments that reached the origin of the thief by a redirect. */
  readonly leaked: number;
  /** How long the longest authorization that was sent is valid, from its signature on. */
  readonly seconds: number;
}

/** One kind of seller under all payers: without the guard, and with it. */
export interface MoneyRow {
  readonly what: string;
  readonly seller: SellerName;
  /** A caller tries so often, until it has its goods. */
  readonly tries: number;
  readonly stock: Outcome;
  readonly guarded: Outcome;
  /** Where a payer differs from the others; null: it cannot read this seller. */
  readonly but?: Partial<Record<PayerName, PayerDiffers | null>>;
}

export interface PayerDiffers {
  readonly tries?: number;
  readonly stock?: Partial<Outcome>;
  readonly guarded?: Partial<Outcome>;
}

const CENT = 10_000n;
const NOTHING = {
  ...{ ends: [], signatures: 0, payments: 0, toSeller: 0n, toThief: 0n, leaked: 0, seconds: 0 },
} satisfies Outcome;
const BOUGHT: Outcome = {
  ...NOTHING,
  ...{ ends: [200], signatures: 1, payments: 1, toSeller: CENT, seconds: 240 },
};
/** Paid so often, with these ends. */
const paid = (payments: number, ...ends: readonly End[]): Outcome => ({
  ...BOUGHT,
  ...{ ends, payments, signatures: payments, toSeller: CENT * BigInt(payments) },
});
const robbed = (amount: bigint): Outcome => ({ ...BOUGHT, toSeller: 0n, toThief: amount });
/** Nothing was signed. */
const refused = (end: End): Outcome => ({ ...NOTHING, ends: [end] });

/** By itself it cannot read an amount that is a number. */
const WANTS_TEXT: PayerDiffers = { stock: refused('thrown') };

/** What stock payers do, and what they do over the guard: the table of the documentation, row by row. */
export const MONEY_ROWS: readonly MoneyRow[] = [
  {
    what: 'an honest seller, both versions',
    ...{ seller: 'honest', tries: 1, stock: BOUGHT, guarded: BOUGHT },
  },
  {
    what: 'an honest seller, version 2',
    ...{ seller: 'honestV2', tries: 1, stock: BOUGHT, guarded: BOUGHT },
    but: { x402FetchV1: null },
  },
  {
    what: 'an honest seller, version 1',
    ...{ seller: 'honestV1', tries: 1, stock: BOUGHT, guarded: BOUGHT },
    but: { x402Fetch: null, x402Axios: null },
  },
  {
    what: 'an amount that is a JSON number, both versions',
    ...{ seller: 'amountAsNumber', tries: 1, stock: BOUGHT, guarded: BOUGHT },
    but: { x402FetchV1: WANTS_TEXT, faremeter: WANTS_TEXT },
  },
  {
    what: 'an amount that is a JSON number, version 2',
    ...{ seller: 'amountAsNumberV2', tries: 1, stock: BOUGHT, guarded: BOUGHT },
    but: { x402FetchV1: null, faremeter: WANTS_TEXT },
  },
  {
    what: 'an amount that is a JSON number, version 1',
    ...{ seller: 'amountAsNumberV1', tries: 1, stock: refused('thrown'), guarded: BOUGHT },
    but: { x402Fetch: null, x402Axios: null },
  },
  {
    what: 'the answer is lost after settlement, two tries',
    ...{ seller: 'losesAnswer', tries: 2, stock: paid(2, 'thrown', 'thrown'), guarded: BOUGHT },
  },
  {
    what: 'the same, and to the seller a used payment is none',
    seller: 'losesAnswerForGood',
    tries: 2,
    stock: paid(2, 'thrown', 'thrown'),
    guarded: paid(1, 'asked_again_after_payment', 'asked_again_after_payment'),
  },
  {
    what: 'the seller asks again after settlement, three tries',
    seller: 'asksAgain',
    tries: 3,
    stock: paid(3, 402, 402, 402),
    guarded: paid(
      1,
      ...(['asked_again_after_payment', 'asked_again_after_payment', 'asked_again_after_payment'] as const),
    ),
    // It pays three times in one call.
    but: {
      faremeter: {
        tries: 1,
        stock: paid(3, 'thrown'),
        guarded: paid(1, 'asked_again_after_payment'),
      },
    },
  },
  {
    what: 'an empty answer, three tries',
    ...{
      seller: 'deliversNothing',
      tries: 3,
      stock: paid(3, 200, 200, 200),
      guarded: paid(1, 200, 200, 200),
    },
  },
  {
    what: 'a fault of the seller after settlement, two tries',
    ...{ seller: 'failsAfterSettling', tries: 2, stock: paid(2, 500, 500), guarded: paid(1, 500, 500) },
  },
  {
    what: 'the body is cut in the middle, two tries',
    ...{ seller: 'cutsBody', tries: 2, stock: paid(2, 'thrown', 'thrown'), guarded: BOUGHT },
  },
  {
    what: 'a stream is cut in the middle, two tries',
    ...{
      seller: 'cutsStream',
      tries: 2,
      stock: paid(2, 'thrown', 'thrown'),
      guarded: paid(1, 'thrown', 200),
    },
  },
  {
    what: 'an authorization for a year',
    seller: 'wantsOneYear',
    tries: 1,
    stock: { ...BOUGHT, seconds: 31_536_000 },
    guarded: { ...BOUGHT, seconds: 900 },
  },
  {
    what: 'a thief at ninety cents before the seller at one',
    ...{ seller: 'thiefFirst', tries: 1, stock: robbed(900_000n), guarded: BOUGHT },
    // Its own limit is ten cents.
    but: { x402FetchV1: { stock: refused('thrown') } },
  },
  {
    what: 'the same, in version 2 alone',
    ...{ seller: 'thiefFirstV2', tries: 1, stock: robbed(900_000n), guarded: BOUGHT },
    but: { x402FetchV1: null },
  },
  {
    what: 'the paid request is redirected to another origin',
    seller: 'redirectsPaid',
    tries: 1,
    stock: { ...NOTHING, ends: [402], signatures: 1, leaked: 1, seconds: 240 },
    guarded: { ...NOTHING, ends: ['redirected_elsewhere'], signatures: 1 },
    but: { faremeter: { stock: { ends: ['thrown'], signatures: 3, leaked: 3 } } },
  },
  {
    what: 'another origin asks for the money',
    seller: 'asksElsewhere',
    tries: 1,
    stock: { ...robbed(CENT), leaked: 1 },
    guarded: refused('redirected_elsewhere'),
  },
  {
    what: 'the goods have moved within the origin',
    ...{ seller: 'moved', tries: 1, stock: BOUGHT, guarded: BOUGHT },
  },
  {
    what: 'header and body ask for different payments',
    ...{ seller: 'headerAndBodyDiffer', tries: 1, stock: BOUGHT, guarded: refused('bad_challenge') },
    but: { x402FetchV1: { stock: robbed(CENT) } },
  },
  {
    what: 'the signature would be for another token',
    ...{ seller: 'otherDomain', tries: 1, stock: BOUGHT, guarded: refused('bad_challenge') },
    // It signs for the contract that the seller names beside the asset.
    but: {
      faremeter: { stock: { ends: ['thrown'], signatures: 3, payments: 0, toSeller: 0n } },
    },
  },
  {
    what: 'a large answer',
    ...{ seller: 'deliversMuch', tries: 1, stock: BOUGHT, guarded: BOUGHT },
  },
  {
    what: 'a compressed answer',
    ...{ seller: 'deliversGzip', tries: 1, stock: BOUGHT, guarded: BOUGHT },
  },
];

export interface MoneyCase {
  readonly what: string;
  readonly payer: PayerName;
  readonly seller: SellerName;
  readonly tries: number;
  readonly stock: Outcome;
  readonly guarded: Outcome;
}

/** Every row under every payer that can read it. */
export function moneyCases(): readonly MoneyCase[] {
  return MONEY_ROWS.flatMap(({ but = {}, ...row }) =>
    PAYER_NAMES.flatMap((payer) => {
      const differs = but[payer];
      if (differs === null) return [];
      return [
        {
          ...row,
          payer,
          tries: differs?.tries ?? row.tries,
          stock: { ...row.stock, ...differs?.stock },
          guarded: { ...row.guarded, ...differs?.guarded },
        },
      ];
    }),
  );
}

const PAYER_NAMES: readonly PayerName[] = ['x402Fetch', 'x402FetchV1', 'x402Axios', 'faremeter'];
