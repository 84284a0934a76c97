import type { ProblemCode } from '../responses/problem.ts';

interface ProblemGuide {
  /** An answer as a caller may see it. */
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
      'Correct the parameter that field names and send the request again. Nothing was counted or charged.',
  },
  ssrf_blocked: {
    detail: 'This URL leads to an address that is not fetched; nothing was sent.',
    field: 'url',
    advice:
      'Do not pay this URL: it does not lead to the public web. Nothing was fetched, counted or stored.',
  },
  not_found: {
    detail: 'No receipt has this id.',
    advice: 'Check the path, the page number or the receipt id; /openapi.json lists every path.',
  },
  no_receipt: {
    detail: 'There is no receipt for this URL yet; check_now runs a dry-run check of it.',
    advice: 'Call the address in check_now for a dry-run check, which leaves a receipt.',
  },
  method_not_allowed: {
    detail: 'This path answers GET, HEAD, OPTIONS.',
    advice: 'Use one of the methods in the Allow header.',
  },
  request_timeout: {
    detail: 'The request did not arrive in time.',
    advice: 'Send the whole request at once, over a connection that is not stalled.',
  },
  payment_reused: {
    detail: 'This payment, or its identifier, was for another request; nothing was charged now.',
    advice:
      'Repeat the request that the payment was made for, or sign a new payment. A payment buys one answer, which is kept for 24 hours.',
  },
  body_too_large: {
    detail: 'The body must have at most 16384 bytes.',
    advice: 'Send only the documented members in the body.',
  },
  unsupported_media_type: {
    detail: 'The body must be JSON, sent with Content-Type: application/json.',
    field: 'body',
    advice: 'Send JSON and say so in Content-Type, or use GET with a query.',
  },
  dry_run_limit: {
    detail: 'The dry runs of this UTC day are used up; nothing was probed.',
    advice: 'Wait as long as Retry-After says, or pay for a live check.',
  },
  target_busy: {
    detail: 'This target was probed too often just now; nothing was sent and nothing was counted.',
    advice: 'Wait as long as Retry-After says; the limit protects the target and cannot be bought off.',
  },
  quote_limit: {
    detail: 'Too many prices were asked for without paying; nothing was probed.',
    advice: 'Pay one of the prices you were given, or wait as long as Retry-After says.',
  },
  paid_limit: {
    detail: 'This payer has had its paid checks of the hour; nothing was charged.',
    advice: 'Wait as long as Retry-After says; the payment was not used.',
  },
  headers_too_large: {
    detail: 'Header fields must have at most 32768 bytes.',
    advice: 'Send fewer or shorter header fields; cookies are never needed.',
  },
  internal_error: {
    detail: 'Something failed on our side; please quote the instance when you report it.',
    advice: 'Try again later, and quote the instance if you report it. Nothing was charged.',
  },
  overloaded: {
    detail: 'Too many requests are under way; try again in a moment.',
    advice: 'Wait as long as Retry-After says and send fewer requests at once.',
  },
  store_unavailable: {
    detail: 'The store cannot be used just now; nothing was counted and nothing charged.',
    advice: 'Wait as long as Retry-After says and try again.',
  },
  facilitator_unavailable: {
    detail: 'The payment could not be verified just now; nothing was charged.',
    advice: 'Wait as long as Retry-After says and send the same payment again.',
  },
  settlement_pending: {
    detail:
      'It is not known yet whether this payment went through; send the same payment again, never a new one.',
    advice:
      'Wait as long as Retry-After says and repeat the request with the same payment. It is charged at most once, and its answer is kept.',
  },
  not_ready: {
    detail: 'This process is about to stop.',
    advice: 'Only a load balancer needs it: send callers to another process until /readyz answers 200.',
  },
  payments_unavailable: {
    detail: 'This service has no wallet to be paid to, so only free calls are served.',
    advice: 'Use the free calls of the day, or ask the operator; do not send a payment.',
  },
};
