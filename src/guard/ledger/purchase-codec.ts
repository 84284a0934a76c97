import * as z from 'zod';
import { type MicroUsd, microUsd } from '../../core/money/micro-usd.ts';
import { isJsonObject, type JsonObject } from '../../core/x402/read-json.ts';
import { parseUint256 } from '../../core/x402/uint256.ts';
import type { PurchaseFacts } from './ledger.ts';
import { requireCountable, timeOf, witnessedAt } from './ledger-bounds.ts';
import { LedgerFault } from './ledger-fault.ts';
import type { Purchase, PurchaseState } from './purchase.ts';

/** What is searched, added up or changed has a column; the rest is one JSON text. Times are in milliseconds. */
export interface PurchaseRow extends FactColumns {
  readonly id: string;
  readonly key: string;
  readonly state: PurchaseState;
  readonly host: string;
  readonly task: string | null;
  readonly request: string;
  readonly endpoint: string;
  readonly witnessed_at: number | null;
  readonly created: number;
  readonly updated: number;
  readonly record: string;
}

/** What a purchase learns on its way. Those without a type of their own are JSON. */
export interface FactColumns {
  readonly terms: string;
  readonly terms_sha256: string;
  readonly amount: number;
  readonly authorization: string;
  /** In seconds, as in the authorization. */
  readonly valid_before: number | null;
  readonly payment: string | null;
  readonly attempts: string;
  readonly answer: string;
  readonly chain: string;
}

export function encodePurchase(purchase: Purchase): PurchaseRow {
  const { id, key, state, host, task, request, endpoint, createdAt, updatedAt, ...rest } = purchase;
  const { terms, termsSha256, amount, authorization, payment, attempts, answer, chain, ...record } = rest;
  requireCountable(amount);
  return {
    id,
    key,
    state,
    host,
    task,
    request,
    endpoint,
    witnessed_at: witnessedAt(purchase),
    created: timeOf(createdAt),
    updated: timeOf(updatedAt),
    terms: JSON.stringify(terms),
    terms_sha256: termsSha256,
    amount: Number(amount),
    authorization: authorizationText(authorization),
    valid_before: authorization === null ? null : secondsOf(authorization.validBefore),
    payment,
    attempts: JSON.stringify(attempts),
    answer: JSON.stringify(answer),
    chain: JSON.stringify(chain),
    record: JSON.stringify(record),
  };
}

/** Only the columns of the facts that are given. */
export function encodeFacts(facts: PurchaseFacts): Partial<FactColumns> {
  const { terms, termsSha256, amount, authorization, payment, attempts, answer, chain } = facts;
  if (amount !== undefined) requireCountable(amount);
  const validBefore = authorization?.validBefore;
  return {
    ...(terms === undefined ? {} : { terms: JSON.stringify(terms) }),
    ...(termsSha256 === undefined ? {} : { terms_sha256: termsSha256 }),
    ...(amount === undefined ? {} : { amount: Number(amount) }),
    ...(authorization === undefined ? {} : { authorization: authorizationText(authorization) }),
    ...(validBefore === undefined ? {} : { valid_before: secondsOf(validBefore) }),
    ...(payment === undefined ? {} : { payment }),
    ...(attempts === undefined ? {} : { attempts: JSON.stringify(attempts) }),
    ...(answer === undefined ? {} : { answer: JSON.stringify(answer) }),
    ...(chain === undefined ? {} : { chain: JSON.stringify(chain) }),
  };
}

/** The only text with bigints. A replacer makes JSON.stringify several times as slow, so the others have none. */
function authorizationText(authorization: Purchase['authorization']): string {
  return JSON.stringify(authorization, (_name, one: unknown) =>
    typeof one === 'bigint' ? one.toString() : one,
  );
}

/** Throws when the row cannot be read: a payment that is left out could be made twice. */
export function decodePurchase(row: unknown): Purchase {
  try {
    const stored = storedRow.parse(row);
    const { record, terms_sha256, witnessed_at: _, valid_before: __, created, updated, ...columns } = stored;
    return {
      ...columns,
      ...storedRecord.parse(JSON.parse(record)),
      terms: storedTerms.parse(JSON.parse(columns.terms)),
      authorization: storedAuthorization.parse(JSON.parse(columns.authorization)),
      attempts: storedAttempts.parse(JSON.parse(columns.attempts)),
      answer: storedAnswer.parse(JSON.parse(columns.answer)),
      chain: storedChain.parse(JSON.parse(columns.chain)),
      termsSha256: terms_sha256,
      createdAt: new Date(created),
      updatedAt: new Date(updated),
    };
  } catch (cause) {
    throw new LedgerFault('a purchase in it cannot be read', { cause });
  }
}

/** Far beyond every calendar, and still an integer in every database. */
function secondsOf(value: bigint): number {
  return Number(value > SECONDS_MAX ? SECONDS_MAX : value);
}

const SECONDS_MAX = BigInt(Number.MAX_SAFE_INTEGER);

/** PostgreSQL hands over its 64-bit integers as text, unless the pool was told otherwise. */
const storedInteger = z.union([
  z.int(),
  z
    .string()
    .regex(/^-?[0-9]{1,16}$/)
    .transform(Number)
    .pipe(z.int()),
]);

const storedBigint = z.string().transform((text, context): bigint => {
  const value = parseUint256(text);
  if (value !== null) return value;
  context.addIssue('not a whole number');
  return z.NEVER;
});

const STATES = [
  'reserved',
  'signed',
  'sent',
  'delivering',
  'delivered',
  'empty',
  'failed',
  'asked_again',
  'unknown',
  'paid_undelivered',
  'never_settled',
  'expired',
] as const satisfies readonly PurchaseState[];

const storedRow = z.object({
  id: z.string(),
  key: z.string(),
  state: z.enum(STATES),
  host: z.string(),
  task: z.string().nullable(),
  request: z.string(),
  endpoint: z.string(),
  terms_sha256: z.string(),
  witnessed_at: storedInteger.nullable(),
  amount: storedInteger.pipe(z.int().nonnegative()).transform((amount): MicroUsd => microUsd(BigInt(amount))),
  valid_before: storedInteger.nullable(),
  created: storedInteger,
  updated: storedInteger,
  payment: z.string().nullable(),
  terms: z.string(),
  authorization: z.string(),
  attempts: z.string(),
  answer: z.string(),
  chain: z.string(),
  record: z.string(),
});

const storedTerms = z.object({
  network: z.string(),
  asset: z.string(),
  amount: z.string(),
  payTo: z.string(),
});

const storedAuthorization = z
  .object({
    from: z.string(),
    to: z.string(),
    value: storedBigint,
    validAfter: storedBigint,
    validBefore: storedBigint,
    nonce: z.string(),
  })
  .nullable();

const storedAttempts = z.array(z.object({ at: z.string(), status: z.int().nullable() }));

const storedAnswer = z
  .object({
    at: z.string(),
    status: z.int(),
    contentType: z.string().nullable(),
    bytes: z.int().nullable(),
    sha256: z.string().nullable(),
    paymentResponse: z.string().nullable(),
  })
  .nullable();

const storedChain = z
  .object({ askedAt: z.string(), used: z.boolean(), transaction: z.string().nullable() })
  .nullable();

const storedRecord = z.object({
  url: z.string(),
  method: z.string(),
  bodySha256: z.string().nullable(),
  // Older releases wrote none.
  credentials: z.string().nullable().default(null),
  redirected: z.boolean(),
  name: z.string().nullable(),
  approved: z.array(
    z.object({
      // As it is: the seller compares it with its own entry.
      entry: z.custom<JsonObject>(isJsonObject),
      terms: storedTerms,
      termsSha256: z.string(),
    }),
  ),
  challenge: z.string(),
  rulesVersion: z.string(),
  witness: z
    .object({
      service: z.string(),
      receiptId: z.string().nullable(),
      permalink: z.string().nullable(),
      termsSha256: z.string(),
      checkedAt: z.string(),
      snapshot: z.string().exactOptional(),
    })
    .nullable(),
});
