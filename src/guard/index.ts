export { createGuard, type Guard, guardFetch, type ShownPurchase } from './create-guard.ts';
export type { Evidence } from './evidence/evidence.ts';
export type {
  Decision,
  Expectation,
  GuardLimits,
  GuardOptions,
  PurchaseToApprove,
} from './guard-options.ts';
export { type GuardCode, GuardRefused, type RefusalCode } from './guard-refused.ts';
export type { GuardedFetch } from './guarded-fetch.ts';
export type {
  Ledger,
  PurchaseFacts,
  PurchaseMove,
  PurchaseQuery,
  Reserved,
  SpendingLimit,
} from './ledger/ledger.ts';
export { memoryLedger } from './ledger/memory-ledger.ts';
export type { Purchase, PurchaseState, PurchaseTerms } from './ledger/purchase.ts';
