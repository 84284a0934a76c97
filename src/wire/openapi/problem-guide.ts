import type { ProblemCode } from '../responses/problem.ts';

interface ProblemGuide {
  /** An example of an error answer. */
  readonly detail: string;
  readonly field?: string;
  /** What the caller can do about it. */
  readonly advice: string;
}

/** Every code once: the examples of the OpenAPI document and the page that the type of a problem points to. */
export const PROBLEM_GUIDE: Readonly<Record<ProblemCode, ProblemGuide>> = {
  bad_request: {
    detail: 'limit must be a whole number from 1 to 20.',
    field: 'limit',
    advice:
      'Correct the parameter named in field and send the request again. Nothing was counted or charged.',
  },
  ssrf_blocked: {
    detail: 'This URL leads to a blocked address, or to a host that opted out; nothing was sent.',
    field: 'url',
    advice:
      'Do not pay this URL. It does not lead to the public web. Nothing was fetched, counted or stored.',
  },
  not_proven: {
    detail:
      'The host does not publish this key: neither /.well-known/assay-verify.txt nor a TXT record at _assay.<host> has the line assay-verify=ed25519:<key>.',
    field: 'key',
    advice:
      'Publish the line that assay seller key prints, and send the request again. A redirect and a file above 4 kB do not count.',
  },
  not_found: {
    detail: 'No receipt has this id.',
    advice: 'Check the path, the page number or the id.',
  },
  no_receipt: {
    detail:
      'There is no receipt for this URL yet. check_now runs a dry run: one unpaid request and a public receipt, never an approval.',
    advice:
      'Call the address in check_now: a dry-run check, which sends one unpaid request and stores a public receipt.',
  },
  not_logged_yet: {
    detail: 'The receipt waits for its place in the log; try again in two seconds.',
    advice:
      'Repeat the request after Retry-After. The promise in the answer of the check says by when it will be there.',
  },
  withdrawn: {
    detail: 'This receipt was withdrawn.',
    advice: 'Its text is removed. The body has its hash and the reason; the log has an entry that says so.',
  },
  retired: {
    detail: 'This receipt was archived.',
    advice:
      'Ask the operator for the file of its week. The receipt was not changed: the log still has its hash.',
  },
  no_statement: {
    detail: 'This receipt is of a release without statements.',
    advice: 'Use the receipt itself, or check the URL again: every new receipt has a statement.',
  },
  method_not_allowed: {
    detail: 'This path supports GET, HEAD, OPTIONS.',
    advice: 'Use one of the methods in the Allow header.',
  },
  request_timeout: {
    detail: 'The request did not arrive in time.',
    advice: 'Send the complete request without pauses.',
  },
  payment_reused: {
    detail: 'This payment, or its identifier, was used for another request; nothing was charged.',
    advice:
      'Repeat the request that the payment was made for, or sign a new payment. A payment buys one response, which is kept for 24 hours.',
  },
  payment_delivered: {
    detail:
      'The answer of this payment was delivered. It is returned again only to the network that paid or received it, or with a payment-identifier that was sent with the payment.',
    advice:
      'Repeat the request from the network that paid for it. With a payment-identifier that was sent with the payment from the start, any network will do.',
  },
  statement_used: {
    detail: 'This statement was acted on before; sign a new one.',
    field: 'statement',
    advice: 'Sign a new statement with the current time. The first one took effect.',
  },
  watch_limit: {
    detail: 'An origin has at most 5 watches, a key 10, and the service 1000; end one with unwatch.',
    field: 'statement.webhook',
    advice: 'End a watch that is no longer needed, or follow the feed at /v1/watch.atom, which has no limit.',
  },
  body_too_large: {
    detail: 'The body must have at most 16384 bytes.',
    advice: 'Send only the documented members in the body.',
  },
  unsupported_media_type: {
    detail: 'The body must be JSON, sent with Content-Type: application/json.',
    field: 'body',
    advice: 'Send JSON with Content-Type: application/json, or use GET with a query.',
  },
  dry_run_limit: {
    detail: 'The dry runs of this UTC day are used up; nothing was probed.',
    advice: 'Wait for Retry-After seconds, or send a live check.',
  },
  target_busy: {
    detail:
      'No further probe of this target may start now: a limit of the target, of this service or of this caller is reached; nothing was sent or counted.',
    advice: 'Wait for Retry-After seconds; paying does not lift these limits.',
  },
  quote_limit: {
    detail: 'Too many price requests without a payment; nothing was probed.',
    advice: 'Pay one of the quoted prices, or wait for Retry-After seconds.',
  },
  paid_limit: {
    detail: 'This payer has used its paid checks for this hour; nothing was charged.',
    advice: 'Wait for Retry-After seconds; the payment was not used.',
  },
  read_limit: {
    detail: 'More than 1200 requests in this minute; slow down.',
    advice:
      'Wait for Retry-After seconds. Keep what you have read: pages, listings and receipts carry an ETag and may be cached.',
  },
  address_busy: {
    detail: 'More than 20 requests of this address in progress; wait for their answers.',
    advice:
      'Send fewer requests in parallel, and repeat this one after Retry-After seconds. Nothing was counted or charged.',
  },
  payment_busy: {
    detail:
      'This payment is already being processed several times; repeat it when one of them has been answered.',
    advice:
      'Send a payment once and wait for its answer. After Retry-After seconds the same payment can be sent again.',
  },
  verification_limit: {
    detail: 'Too many payments of this network could not be verified this hour; nothing was charged.',
    advice: 'Check how the payment is signed. A payment that the payer itself has signed is always accepted.',
  },
  replay_limit: {
    detail: 'The answer of this payment was returned too often this hour; nothing was charged again.',
    advice: 'Keep the response that you have received, or wait for Retry-After seconds.',
  },
  retest_limit: {
    detail: 'A URL is checked again once a minute, and an origin 20 times an hour; nothing was sent.',
    advice: 'Wait for Retry-After seconds. The same statement can be sent again while it is current.',
  },
  seller_limit: {
    detail: 'Too many signed requests from this network in this hour; nothing was done.',
    advice: 'Wait for Retry-After seconds.',
  },
  headers_too_large: {
    detail: 'Header fields must have at most 32768 bytes.',
    advice: 'Send fewer or shorter header fields; cookies are never needed.',
  },
  internal_error: {
    detail: 'Internal error; quote the instance if you report it.',
    advice: 'Try again later. Quote the instance if you report it. Nothing was charged.',
  },
  overloaded: {
    detail: 'Too many requests in progress; try again shortly.',
    advice: 'Wait for Retry-After seconds and send fewer requests in parallel.',
  },
  store_unavailable: {
    detail: 'The store is unavailable; nothing was counted or charged.',
    advice: 'Wait for Retry-After seconds and try again.',
  },
  facilitator_unavailable: {
    detail: 'The facilitator could not verify the payment; nothing was charged.',
    advice: 'Wait for Retry-After seconds and send the same payment again.',
  },
  settlement_pending: {
    detail: 'The outcome of this payment is not known yet; retry the same payment, never a new one.',
    advice:
      'Wait for Retry-After seconds and repeat the request with the same payment. It is charged at most once, and its response is kept.',
  },
  not_ready: {
    detail: 'This process is shutting down.',
    advice: 'For load balancers: send callers to another process until /readyz answers 200.',
  },
  payments_unavailable: {
    detail:
      'The free lookups of this UTC day are used up (5 per caller), and this service sells none: it has no wallet. Free again at 00:00 UTC.',
    advice: 'Wait for Retry-After seconds: free calls are renewed at 00:00 UTC. Do not send a payment.',
  },
};
