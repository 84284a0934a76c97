import type { GuardOptions } from '../../../src/guard/guard-options.ts';
import type { RefusalCode } from '../../../src/guard/guard-refused.ts';
import { memoryLedger } from '../../../src/guard/ledger/memory-ledger.ts';
import type { SellerName } from './sellers/seller-scripts.ts';

/** A purchase that the guard refuses under every payer, with no money moved by it. */
export interface RefusalRow {
  readonly code: RefusalCode;
  readonly what: string;
  readonly seller: SellerName;
  readonly options?: (place: { readonly seller: string; readonly deaf: string }) => Partial<GuardOptions>;
  /** Purchases that succeed before; each has a name of its own, so that it is not the same one again. */
  readonly before?: readonly SellerName[] | 'here';
  readonly headers?: Readonly<Record<string, string>>;
  /** What the wallet signed for the refused purchase; nothing unless the row says so. */
  readonly signatures?: number;
}

const broken = async () => {
  throw new Error('the disk is full');
};

/** The codes of the policy and of the judge, before anything is signed. */
export const REFUSAL_ROWS: readonly RefusalRow[] = [
  {
    ...{ code: 'price_mismatch', what: 'the price is not the expected one', seller: 'raisedPrice' },
    options: () => ({ expect: () => ({ price: '0.01' }) }),
  },
  {
    ...{ code: 'network_mismatch', what: 'the network is not the expected one', seller: 'honest' },
    options: () => ({ expect: async () => ({ network: 'eip155:137' }) }),
  },
  {
    ...{ code: 'pay_to_mismatch', what: 'the payee is not the expected one', seller: 'otherPayee' },
    options: ({ seller }) => ({ expect: () => ({ payTo: seller }) }),
  },
  { code: 'asset_not_usdc', what: 'the asset is another token', seller: 'otherAsset' },
  { code: 'network_unsupported', what: 'the network is not supported', seller: 'unknownNetwork' },
  { code: 'bad_challenge', what: 'header and body differ', seller: 'headerAndBodyDiffer' },
  { code: 'bad_challenge', what: 'a permit is asked for', seller: 'permit' },
  { code: 'bad_challenge', what: 'two payees ask for the same price', seller: 'thiefAtSamePrice' },
  { code: 'no_paywall', what: 'the 402 says no terms', seller: 'unreadable' },
  { code: 'free_trial_active', what: 'the seller announces a free trial', seller: 'givesTrial' },
  {
    ...{ code: 'over_payment_limit', what: 'one payment is too dear', seller: 'raisedPrice' },
    options: () => ({ limits: { perPayment: '0.02', perDay: '5' } }),
  },
  {
    ...{ code: 'over_payment_limit', what: 'the caller wants to pay less', seller: 'raisedPrice' },
    headers: { 'x-assay-max-price': '0.02' },
  },
  {
    ...{ code: 'over_day_limit', what: 'the day has no money left', seller: 'honest' },
    options: () => ({ limits: { perPayment: '0.10', perDay: '0.015' } }),
    before: ['honest'],
  },
  {
    ...{ code: 'over_host_limit', what: 'the host had its share', seller: 'honest' },
    options: () => ({ limits: { perPayment: '0.10', perDay: '5', perHostDay: '0.015' } }),
    before: ['honest'],
  },
  {
    ...{ code: 'over_task_limit', what: 'the task has no money left', seller: 'honest' },
    options: () => ({ limits: { perPayment: '0.10', perDay: '5', perTask: '0.015' } }),
    headers: { 'x-assay-task': 'one task' },
    before: ['honest'],
  },
  {
    ...{ code: 'host_not_allowed', what: 'the host is not on the list', seller: 'honest' },
    options: () => ({ hosts: ['seller.example'] }),
  },
  { code: 'terms_changed', what: 'the payee was another before', seller: 'changesPayee', before: 'here' },
  { code: 'terms_changed', what: 'the price was lower before', seller: 'raisesPrice', before: 'here' },
  {
    ...{ code: 'service_unavailable', what: 'the service gives no answer', seller: 'honest' },
    options: ({ deaf }) => ({ ask: deaf }),
  },
  {
    ...{ code: 'not_approved', what: 'the buyer says no', seller: 'honest' },
    options: () => ({ approve: () => false }),
  },
  {
    ...{ code: 'not_approved', what: 'the buyer says no to more than a cent', seller: 'raisedPrice' },
    options: () => ({ approve: async () => false, approveAbove: '0.01' }),
  },
  { code: 'redirected_elsewhere', what: 'another origin asks for the money', seller: 'asksElsewhere' },
  { code: 'clock_wrong', what: 'the clocks differ by a day', seller: 'clockOfYesterday' },
  {
    ...{ code: 'ledger_unavailable', what: 'nothing can be reserved', seller: 'honest' },
    options: () => ({ ledger: { ...memoryLedger(), reserve: broken } }),
  },
  {
    ...{ code: 'ledger_unavailable', what: 'the signature cannot be written down', seller: 'honest' },
    options: () => ({ ledger: { ...memoryLedger(), move: broken } }),
    signatures: 1,
  },
  {
    ...{ code: 'redirected_elsewhere', what: 'the payment is sent elsewhere', seller: 'redirectsPaid' },
    signatures: 1,
  },
];
