import { ACCEPTS_MAX_ENTRIES, CHALLENGE_BODY_MAX_BYTES } from '../../core/limits.ts';
import { formatUsd } from '../../core/money/micro-usd.ts';
import type {
  ApprovedEntry,
  Attempt,
  ChainFact,
  Purchase,
  PurchaseState,
  PurchaseTerms,
  Witness,
} from '../ledger/purchase.ts';
import { sha256 } from '../sha256.ts';
import { plainContentType } from './content-type.ts';
import { type PaymentResponse, paymentResponseOf } from './payment-response.ts';

const EVIDENCE_FORMAT = 'assay-purchase-evidence';
const EVIDENCE_VERSION = 1;

/** What is known about one purchase, as plain JSON. Holds neither a key nor the signature of the payment. */
export interface EvidenceFacts {
  readonly format: typeof EVIDENCE_FORMAT;
  readonly version: typeof EVIDENCE_VERSION;
  readonly purchase_id: string;
  readonly state: PurchaseState;
  readonly created_at: string;
  readonly updated_at: string;
  readonly written_at: string;
  readonly request: {
    readonly method: string;
    /** Without what looks like a secret. */
    readonly url: string;
    readonly host: string;
    readonly body_sha256: string | null;
    /** Of method, URL and body, as they were sent. */
    readonly request_sha256: string;
  };
  readonly challenge: {
    /** The seller's own words, cut off where `complete` is false. The hash is that of the whole text. */
    readonly text: string;
    readonly complete: boolean;
    readonly sha256: string;
  };
  readonly verdict: { readonly verdict: 'pay'; readonly rules_version: string };
  readonly witness: {
    readonly service: string;
    readonly receipt_id: string | null;
    readonly permalink: string | null;
    readonly payment_terms_sha256: string;
    readonly checked_at: string;
    /** Of the signed file of verdicts that was asked in place of the service. */
    readonly snapshot_sha256?: string;
  } | null;
  /** What was signed; before that, the dearest that might have been. */
  readonly terms: TermsJson;
  readonly approved: readonly TermsJson[];
  readonly amount_usd: string;
  readonly authorization: AuthorizationJson | null;
  readonly attempts: readonly Attempt[];
  readonly answer: AnswerJson | null;
  readonly chain: {
    readonly asked_at: string;
    readonly used: boolean;
    readonly transaction: string | null;
  } | null;
}

export interface TermsJson {
  readonly network: string;
  readonly asset: string;
  readonly amount: string;
  readonly pay_to: string;
  readonly payment_terms_sha256: string;
}

/** As x402 writes it, without the signature. */
export interface AuthorizationJson {
  readonly from: string;
  readonly to: string;
  readonly value: string;
  readonly validAfter: string;
  readonly validBefore: string;
  readonly nonce: string;
}

export interface AnswerJson {
  readonly at: string;
  readonly status: number;
  readonly content_type: string | null;
  readonly bytes: number | null;
  readonly body_sha256: string | null;
  readonly payment_response: PaymentResponse | null;
}

export function factsOf(purchase: Purchase, now: Date): EvidenceFacts {
  const { challenge, witness, chain } = purchase;
  return {
    format: EVIDENCE_FORMAT,
    version: EVIDENCE_VERSION,
    purchase_id: purchase.id,
    state: purchase.state,
    created_at: purchase.createdAt.toISOString(),
    updated_at: purchase.updatedAt.toISOString(),
    written_at: now.toISOString(),
    request: {
      method: purchase.method,
      url: purchase.url,
      host: purchase.host,
      body_sha256: purchase.bodySha256,
      request_sha256: purchase.request,
    },
    challenge: {
      text: challenge.slice(0, CHALLENGE_BODY_MAX_BYTES),
      complete: challenge.length <= CHALLENGE_BODY_MAX_BYTES,
      sha256: sha256(challenge),
    },
    // Nothing else gets as far as the ledger.
    verdict: { verdict: 'pay', rules_version: purchase.rulesVersion },
    witness: witness === null ? null : witnessJson(witness),
    terms: termsJson(purchase),
    approved: purchase.approved.slice(0, ACCEPTS_MAX_ENTRIES).map(termsJson),
    amount_usd: formatUsd(purchase.amount),
    authorization: authorizationJson(purchase),
    attempts: purchase.attempts.map(({ at, status }) => ({ at, status })),
    answer: answerJson(purchase),
    chain: chain === null ? null : chainJson(chain),
  };
}

function witnessJson({ service, receiptId, permalink, termsSha256, checkedAt, snapshot }: Witness) {
  return {
    service,
    receipt_id: receiptId,
    permalink,
    payment_terms_sha256: termsSha256,
    checked_at: checkedAt,
    ...(snapshot === undefined ? {} : { snapshot_sha256: snapshot }),
  };
}

function termsJson({ terms, termsSha256 }: Pick<ApprovedEntry, 'terms' | 'termsSha256'>): TermsJson {
  const { network, asset, amount, payTo }: PurchaseTerms = terms;
  return { network, asset, amount, pay_to: payTo, payment_terms_sha256: termsSha256 };
}

function authorizationJson({ authorization }: Purchase): AuthorizationJson | null {
  if (authorization === null) return null;
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  return {
    from,
    to,
    value: String(value),
    validAfter: String(validAfter),
    validBefore: String(validBefore),
    nonce,
  };
}

function answerJson({ answer, payment }: Purchase): AnswerJson | null {
  if (answer === null) return null;
  const { at, status, contentType, bytes } = answer;
  return {
    at,
    status,
    content_type: plainContentType(contentType),
    bytes,
    body_sha256: answer.sha256,
    payment_response:
      answer.paymentResponse === null ? null : paymentResponseOf(answer.paymentResponse, payment),
  };
}

function chainJson({ askedAt, used, transaction }: ChainFact) {
  return { asked_at: askedAt, used, transaction };
}
